import Peernote
import PeernoteDigest

/// A page that needs nothing besides itself: no network, no other file, no script but its own.
///
/// Its policy allows the one style sheet and the one script that it holds, by their SHA-256, and
/// nothing else: what a document says could not act on it even if it were taken for markup.
struct Page {
  /// The beginning of every page, by which one is known again.
  private static let beginning =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    + "<meta name=\"generator\" content=\"pnmerge\">\n"

  /// Shown as the name of the window.
  var title: String
  var body: HTML
  /// What it does; empty for a page that only shows.
  var script: String

  func bytes() -> [UInt8] {
    let policy =
      "default-src 'none'; style-src \(Self.source(Self.style)); "
      + (script.isEmpty ? "" : "script-src \(Self.source(script)); ")
      + "base-uri 'none'; form-action 'none'"
    // A quotation mark of the policy is no markup: browsers take it from the attribute.
    var page = HTML(stringLiteral: Self.beginning)
    page += """
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>\(HTML(stringLiteral: Self.style))</style></head>
      <body>
      \(body)
      """
    if !script.isEmpty { page += "<script>\(HTML(stringLiteral: script))</script>\n" }
    page += "</body></html>\n"
    return page.bytes
  }

  private static func source(_ text: String) -> String {
    "'sha256-\(Base64.encoded(Array(SHA256.hash(Array(text.utf8)))))'"
  }

  /// Writes the page to a file, or to standard output; throws if something else than an older page
  /// stands there.
  func write(to file: FileName, _ invocation: Invocation) throws {
    let bytes = bytes()
    if file.isStandardStream { return try invocation.console.write(bytes) }
    let replacement = Replacement(of: file, expecting: .any, invocation)
    _ = try replacement { old in
      if let old, !old.bytes.starts(with: Self.beginning.utf8) {
        throw Failure(
          .cannotCreate, file: file,
          "exists and is not a page of pnmerge; give another name; nothing was written")
      }
      return Replacement.Proposal(bytes, report: ())
    }
    try invocation.console.report("\(file.visible): written")
  }
}

extension Page {
  /// How pages look: light and dark as the reader's system is, one column, and on paper without what
  /// only works on a screen.
  static let style = """
    :root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--dim:#59636e;--line:#d1d9e0;\
    --edge:#7d8590;--box:#f6f8fa;--accent:#0b5cad;--add:#d7f5dd;--addline:#1a7f37;--cut:#ffe1de;\
    --cutline:#b3261e;--warn:#8a5300}
    @media (prefers-color-scheme:dark){:root{--back:#14181d;--text:#e6eaef;--dim:#9aa7b4;\
    --line:#3a434d;--edge:#7d8794;--box:#1c2229;--accent:#7cb7ff;--add:#12391f;--addline:#57c977;\
    --cut:#4a1d1b;--cutline:#ff8f85;--warn:#e5b567}}
    *{box-sizing:border-box}
    html{scroll-padding:1rem 0 5.5rem}
    body{margin:0 auto;padding:1.25rem 1rem 6rem;max-width:54rem;background:var(--back);\
    color:var(--text);font:16px/1.5 system-ui,sans-serif}
    h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem}
    h2{font-size:1.15rem;margin:2rem 0 .4rem;padding-bottom:.2rem;border-bottom:1px solid var(--line)}
    h3{font-size:1rem;margin:1.25rem 0 .35rem}
    p{margin:.35rem 0}
    a{color:var(--accent)}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    .dim{color:var(--dim);font-size:.875rem}
    .warn{color:var(--warn)}
    pre,.text,textarea,code{font:.9rem/1.55 ui-monospace,"DejaVu Sans Mono",monospace;\
    white-space:pre-wrap;overflow-wrap:anywhere;margin:0;tab-size:4;unicode-bidi:plaintext}
    .text{display:block}
    ins{background:var(--add);text-decoration:underline;text-decoration-color:var(--addline);\
    text-underline-offset:3px}
    del{background:var(--cut);text-decoration:line-through;text-decoration-color:var(--cutline)}
    .in{margin-left:1.25rem}
    .row{margin:.15rem 0}
    .row>b{font-weight:600}
    .row .text{display:inline}
    .choice:not(:has(input:checked)) textarea{display:none}
    details{margin:.25rem 0}
    summary{color:var(--dim);font-size:.875rem;cursor:pointer}
    .change,.place{border:0;border-left:3px solid var(--addline);padding:.1rem 0 .1rem .75rem;\
    margin:.5rem 0;min-width:0}
    .place{border-left-color:var(--warn)}
    .place.done,.place.gone{border-left-color:var(--addline)}
    .gone{opacity:.7}
    .place>legend{float:left;width:100%;padding:0;font-size:.875rem;color:var(--dim)}
    .place>legend+*{clear:left}
    .place>legend b{color:var(--text);font-size:1rem}
    .res{background:var(--box);outline:1px solid var(--line)}
    .choice{display:block;border:1px solid var(--edge);border-radius:6px;padding:.35rem .6rem;\
    margin:.35rem 0;background:var(--box)}
    label.choice{cursor:pointer}
    .choice:has(input:checked){border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
    .choice .text{max-height:20rem;overflow:auto}
    .folded .choice,.gone .choice{display:none}
    .choice textarea{width:100%}
    textarea{background:var(--back);color:var(--text);border:1px solid var(--edge);\
    border-radius:4px;padding:.4rem}
    .out ins{display:none}
    .out del{background:none;text-decoration:none}
    .out{border-left-color:var(--edge)}
    button{font:inherit;padding:.2rem .75rem;border:1px solid var(--accent);border-radius:6px;\
    background:var(--back);color:var(--accent);cursor:pointer;margin:.1rem .25rem .1rem 0}
    button.main{background:var(--accent);color:var(--back)}
    .bar{position:fixed;left:0;right:0;bottom:0;background:var(--box);\
    border-top:1px solid var(--edge);padding:.5rem 1rem;display:flex;flex-wrap:wrap;gap:.25rem .75rem;\
    align-items:center;justify-content:center}
    .json{width:100%;min-height:8rem}
    [hidden]{display:none!important}
    #slider{width:min(100%,30rem);vertical-align:middle}
    @media screen{.off{display:none}}
    @media print{:root{--back:#fff;--text:#000;--dim:#444;--line:#999;--edge:#666;--box:#fff;\
    --accent:#000;--add:#e8e8e8;--addline:#000;--cut:#fff;--cutline:#000;--warn:#000}\
    body{max-width:none;padding:0;font-size:10.5pt}.bar,.screen{display:none!important}\
    .choice .text{max-height:none}.change,.place,.choice{break-inside:avoid}h2,h3{break-after:avoid}}
    """
}
