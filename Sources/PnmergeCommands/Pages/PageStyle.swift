extension Page {
  /// How pages look: light and dark as the reader's system is, one column on narrow screens, and on
  /// paper without what only works on a screen.
  static let style = """
    :root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--dim:#59636e;--line:#d1d9e0;\
    --box:#f6f8fa;--accent:#0b5cad;--add:#d7f5dd;--addline:#1a7f37;--cut:#ffe1de;--cutline:#b3261e;\
    --own:#e3ecff;--ownline:#3b5fc0;--warn:#8a5300}
    @media (prefers-color-scheme:dark){:root{--back:#14181d;--text:#e6eaef;--dim:#9aa7b4;\
    --line:#3a434d;--box:#1c2229;--accent:#7cb7ff;--add:#12391f;--addline:#57c977;--cut:#4a1d1b;\
    --cutline:#ff8f85;--own:#1c2d55;--ownline:#8fb0ff;--warn:#e5b567}}
    *{box-sizing:border-box}
    body{margin:0 auto;padding:1.5rem 1rem 6rem;max-width:62rem;background:var(--back);\
    color:var(--text);font:16px/1.5 system-ui,sans-serif}
    h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}
    h2{font-size:1.2rem;margin:2.25rem 0 .5rem;padding-bottom:.25rem;\
    border-bottom:1px solid var(--line)}
    h3{font-size:1rem;margin:1.25rem 0 .35rem}
    p{margin:.4rem 0}
    a{color:var(--accent)}
    a:focus-visible,button:focus-visible,input:focus-visible,textarea:focus-visible,\
    summary:focus-visible,pre:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    .dim{color:var(--dim)}
    .warn{color:var(--warn)}
    ul.plain{list-style:none;padding:0;margin:.25rem 0}
    ul.plain>li{padding:.2rem 0 .2rem .75rem;border-left:3px solid var(--line);margin:.35rem 0}
    pre,.text,textarea{font:.875rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace;\
    white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0;tab-size:4;unicode-bidi:plaintext}
    ins,.in{background:var(--add);text-decoration:underline;text-decoration-color:var(--addline);\
    text-underline-offset:3px}
    del{background:var(--cut);text-decoration:line-through;text-decoration-color:var(--cutline)}
    .own{background:var(--own);text-decoration:underline dotted;\
    text-decoration-color:var(--ownline);text-underline-offset:3px}
    .card{border:1px solid var(--line);border-radius:8px;padding:1rem;margin:1rem 0;\
    scroll-margin-top:1rem;min-width:0}
    .card>legend{font-weight:600;padding:0 .4rem}
    .card.done{border-left:5px solid var(--addline)}
    .card.gone{opacity:.6}
    .sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));\
    gap:.75rem;margin:.75rem 0}
    .side{display:block;border:1px solid var(--line);border-radius:6px;padding:.6rem .75rem;\
    background:var(--box);min-width:0}
    label.side{cursor:pointer}
    .side:has(input:checked){border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
    .side.wide{grid-column:1/-1}
    .side .text{max-height:20rem;overflow:auto}
    .side textarea{width:100%;background:var(--back);color:var(--text);\
    border:1px solid var(--line);border-radius:4px;padding:.4rem}
    .result{border-left:3px solid var(--addline);padding:.1rem 0 .1rem .75rem}
    .state{font-size:.875rem;color:var(--dim)}
    .bar{position:fixed;left:0;right:0;bottom:0;background:var(--box);\
    border-top:1px solid var(--line);padding:.6rem 1rem;display:flex;flex-wrap:wrap;gap:.75rem;\
    align-items:center;justify-content:center}
    button{font:inherit;padding:.3rem .9rem;border:1px solid var(--accent);border-radius:6px;\
    background:var(--back);color:var(--accent);cursor:pointer}
    button.main{background:var(--accent);color:var(--back)}
    .whole{border:1px solid var(--line);border-radius:6px;padding:.25rem 0;margin:.5rem 0}
    .by{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:0 .75rem;padding:0 .75rem}
    .by>span{color:var(--dim);font-size:.8rem;overflow-wrap:anywhere;padding-top:.3rem}
    .by .text{margin:.1rem 0}
    .picture{overflow-x:auto}
    .picture svg{display:block;max-width:none}
    .picture text{fill:var(--text)}
    .picture .d{fill:var(--dim)}
    textarea.json{width:100%;min-height:9rem;background:var(--box);color:var(--text);\
    border:1px solid var(--line);border-radius:6px;padding:.5rem}
    code{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.875em;\
    overflow-wrap:anywhere}
    [hidden]{display:none!important}
    #slider{width:min(100%,30rem);vertical-align:middle}
    @media screen{.off{display:none}}
    @media (max-width:40rem){.by{grid-template-columns:minmax(0,1fr)}body{padding-top:1rem}}
    @media print{:root{--back:#fff;--text:#000;--dim:#444;--line:#999;--box:#fff;--accent:#000;\
    --add:#e8e8e8;--addline:#000;--cut:#fff;--cutline:#000;--own:#fff;--ownline:#000}\
    body{max-width:none;padding:0;font-size:10.5pt}.bar,.screen{display:none!important}\
    .side.wide{grid-column:1/-1}
    .side .text{max-height:none;overflow:visible}.card,.side,.by{break-inside:avoid}\
    h2,h3{break-after:avoid}}
    """
}
