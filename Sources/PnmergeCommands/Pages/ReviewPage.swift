import Peernote
import PeernoteJSON

/// A review on a page: each document in reading order, with who did what, and choices where something
/// is to be decided.
///
/// The choices are those of the review in the terminal, and what each comes to was made by the same
/// code; what is chosen goes into a file (``DecisionFile``), and nowhere else.
struct ReviewPage {
  /// Of which nothing is decided yet.
  let review: Review
  let title: String
  /// The command that takes the decisions.
  let apply: [String]
  let invocation: Invocation

  func made() -> Page {
    let parts = review.documents.indices.map { DecisionFile.part(of: $0, in: review) }
    var body: HTML = """
      <main id="review" data-review="\(DecisionFile.json(parts))">
      <h1><bdi>\(title)</bdi></h1>
      \(summary)
      """
    for number in review.documents.indices { body += section(of: number) }
    body += saving + "</main>\n"
    return Page(title: title, body: body, script: review.places.isEmpty ? "" : Self.script)
  }

  private func section(of number: Int) -> HTML {
    let document = review.documents[number]
    let indices = review.places.indices.filter { review.places[$0].document == number }
    let open = indices.filter { review.places[$0].isContested }
    var html: HTML = "<section data-document=\"\(number)\">\n"
    let name = document.file.shown.visible
    let isNamed = title.contains(document.file.lastComponent.visible)
    if review.documents.count > 1 || document.merged.root.title != nil || !isNamed {
      let named = document.merged.root.title.map { ": \($0)" } ?? ""
      html += "<h2><bdi>\(name)\(named)</bdi></h2>\n"
      if review.documents.count > 1 { html += review.people(at: open) }
    }
    if indices.isEmpty { html += "<p class=\"dim\">Nothing reads otherwise.</p>\n" }
    var content = ReviewContent(review: review, document: document, invocation: invocation)
    return html + content.made(with: indices) + "</section>\n"
  }

  private var summary: HTML {
    let count = review.contested.count
    let changes = review.places.count - count
    let conflicts = count == 0 ? "No conflicts" : counted(count, "conflict")
    let rest = changes > 0 ? ", \(counted(changes, "change")) nobody contests" : ""
    return """
      <p class="dim">Made on \(invocation.localText(invocation.host.now)). \(conflicts)\(rest).</p>
      <noscript><p class="warn">This browser runs no scripts, so that nothing can be decided on \
      this page, only read; <code>pnmerge review</code> asks in a terminal.</p></noscript>
      \(review.people(at: review.contested))
      """
  }

  private var saving: HTML {
    """
    <div id="decisions" class="script screen" hidden>
    <h2>Decisions</h2>
    <p>Save this, or copy it, and send it to whoever merges, who gives it to</p>
    <pre>\(apply.joined(separator: " "))</pre>
    <p class="dim">or, copied, to the same with <code>--apply -</code>. Several people's go with an \
    <code>--apply</code> each.</p>
    <label for="json">decisions.json</label>
    <textarea id="json" class="json" readonly spellcheck="false" autocomplete="off"></textarea>
    </div>
    <div id="bar" class="bar script" role="region" aria-label="Decisions" hidden>
    <span id="tally" role="status"></span> <a id="next" href="#decisions">Next conflict</a>
    <button type="button" id="copy">Copy</button>
    <button type="button" id="save" class="main">Save decisions.json</button>
    </div>

    """
  }
}

extension Review {
  /// Buttons that take all that one person wrote at some places, in the section around.
  func people(at places: [Int]) -> HTML {
    if places.count < 2 { return HTML() }
    let names = places.flatMap { Set(self.places[$0].choices.flatMap(\.authors)) }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    var html: HTML = "<p class=\"script screen\" hidden>Take all of "
    for (name, count) in counts.sorted(by: { $0.key < $1.key }).prefix(20) {
      html += """
        <button type="button" class="take" data-who="\(name)"><bdi>\(authorName(name))</bdi>'s \
        (\(count))</button>
        """
    }
    return html + "</p>\n"
  }
}

extension ReviewPage {
  /// What the page of a review does: it shows what each choice comes to, which is in the markup already
  /// (``ReviewContent``), and saves the choices.
  static let script = #"""
    'use strict';
    (() => {
      const documents = JSON.parse(document.getElementById('review').dataset.review);
      const places = [...document.querySelectorAll('[data-place]')];
      const get = id => document.getElementById(id);
      const [json, tally, next] = ['json', 'tally', 'next'].map(get);
      const key = 'pnmerge ' + documents.map(part => part.version).join(' ');
      for (const place of places) {
        const result = get('r' + place.id.slice(1));
        Object.assign(place, {
          number: Number(place.closest('[data-document]').dataset.document),
          data: JSON.parse(place.dataset.place), result, kept: result?.textContent,
          inputs: [...place.querySelectorAll('input')], draft: place.querySelector('textarea'),
        });
      }

      const chosen = place => place.inputs.find(input => input.checked);

      // What is decided at a place: the members for the file, or null.
      function answer(place) {
        const choice = chosen(place);
        if (!choice || choice.value === '') return null;
        if (choice.value !== 'edited') return {take: choice.value};
        const {value, defaultValue} = place.draft;
        return value === defaultValue ? null : {edited: value};
      }

      const open = () => places.filter(place => place.result && !place.matches('.done,.gone'));

      // Shows at each place what its choice comes to, and what is decided in all.
      function update() {
        const gone = new Set(places.flatMap(place =>
          answer(place) && chosen(place).dataset.ends?.split(' ') || []));
        for (const place of places) {
          const [what, isGone] = [answer(place), gone.has(place.id)];
          place.classList.toggle('gone', isGone);
          place.classList.toggle(place.result ? 'done' : 'out', what !== null);
          if (!place.result) continue;
          const text = !what ? place.kept
            : what.edited ?? chosen(place).dataset.text ?? '(nothing)';
          if (place.result.textContent !== text) place.result.textContent = text;
          place.querySelector('.state').textContent =
            isGone ? ', decided with what it stands in'
              : what ? `: ${chosen(place).parentElement.querySelector('b').textContent}` : '';
          place.querySelector('.again').hidden = !place.classList.contains('folded');
        }
        const decided = places.filter(place => place.matches('.done:not(.gone),.out:not(.gone)'));
        const parts = documents.map((part, number) => ({...part, decisions: decided
          .filter(place => place.number === number)
          .map(place => ({...place.data, ...answer(place)}))}));
        json.value = JSON.stringify({schema: 2, documents: parts}, null, 1) + '\n';
        const left = open();
        tally.textContent = `${decided.length} decided, ${left.length} left open.`;
        next.hidden = left.length === 0;
        next.href = '#' + (left[0]?.id ?? 'decisions');
        try {
          localStorage.setItem(key, JSON.stringify(places.map(answer)));
        } catch { /* Then a reload forgets them. */ }
      }

      function fold(place) {
        if (place.result && answer(place)) place.classList.add('folded');
      }

      function choose(place, what) {
        const input = place.inputs.find(input => input.value === (what.take ?? 'edited'));
        if (!input) return;
        input.checked = true;
        if ('edited' in what && place.draft) place.draft.value = what.edited;
        fold(place);
      }

      document.addEventListener('change', event => {
        if (event.target.closest('[data-place]')) update();
      });
      document.addEventListener('input', event => {
        if (!event.target.matches('.place textarea')) return;
        event.target.closest('.choice').querySelector('input').checked = true;
        update();
      });
      document.addEventListener('focusout', event => {
        const place = event.target.closest?.('.place');
        if (!place || !event.relatedTarget || place.contains(event.relatedTarget)) return;
        fold(place);
        update();
      });
      document.addEventListener('click', event => {
        const button = event.target.closest('button');
        if (button?.matches('.again')) {
          const place = button.closest('.place');
          place.classList.remove('folded');
          update();
          chosen(place).focus();
        } else if (button?.matches('.take')) {
          const here = button.closest('section,main');
          for (const place of places) {
            if (!here.contains(place) || answer(place) || place.matches('.gone')) continue;
            const found = place.inputs.filter(
              input => input.dataset.who === button.dataset.who);
            if (found.length === 1) choose(place, {take: found[0].value});
          }
          update();
        }
      });
      // Goes to the next open place after one, the first without one, or to saving if none is open.
      next.addEventListener('click', event => {
        event.preventDefault();
        const start = places.indexOf(document.activeElement?.closest('.place'));
        const place = open().find(place => places.indexOf(place) > start) || open()[0];
        if (!place) return get('save').focus();
        place.scrollIntoView({block: 'center'});
        place.inputs[0].focus({preventScroll: true});
      });
      get('save').addEventListener('click', () => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([json.value], {type: 'application/json'}));
        link.download = 'decisions.json';
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      });
      get('copy').addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(json.value);
        } catch {
          json.select();
          document.execCommand('copy');
        }
        tally.textContent = 'Copied.';
      });
      for (const part of document.querySelectorAll('.script')) part.hidden = false;
      try {
        const kept = JSON.parse(localStorage.getItem(key)) || [];
        kept.forEach((what, index) => what && places[index] && choose(places[index], what));
      } catch { /* Nothing is kept. */ }
      update();
    })();

    """#
}
