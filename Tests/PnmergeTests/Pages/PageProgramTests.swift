import Foundation
import PeernoteTestSupport
import Testing

/// Pages in a real browser: Chromium without a window, driven over its pipe.
@Suite("Pages in a browser", .serialized) struct PageProgramTests {
  /// Two copies, in which both named a trip and its hour anew, and one deleted what the other changed.
  private func makeTrip() throws -> Program {
    let program = try Program()
    let run = try program.sh(
      #"""
      set -e
      pnmerge new -q a --author ada --title Trip
      pnmerge set -q a /body '"We meet at noon in the hall.\nBring a coat.\n"' --author ada
      pnmerge set -q a /agenda '[{"title":"Venue","minutes":10}]' --author ada
      cp a b
      for side in 'a U one ada' 'b V two bob'; do
        set -- $side
        pnmerge set -q $1 /title "\"$2\"" --author $4
        pnmerge set -q $1 /body "\"We meet at $3 in the hall.\\nBring a coat.\\n\"" --author $4
      done
      pnmerge set -q a /agenda/0/minutes 20 --author ada
      pnmerge remove -q b /agenda/0 --author bob
      pnmerge insert -q b /agenda/- '{"title":"</script><img src=x onerror=alert(1)>",
        "note":{"$text":"\u202etxet\u202c a\u2028b \u0007"}}' --author '<b>eve</b>'
      pnmerge review --html p.html a b
      cp a first
      """#)
    #expect(run.status == 0, "\(run)")
    return program
  }

  private static let tally = "eval document.getElementById('tally').textContent"

  /// A place by the beginning of its name, what it shows, and one of its choices.
  private static func result(_ name: String) -> String {
    "eval document.getElementById('r' + \(place(name)).id.slice(1)).textContent"
  }

  private static func place(_ name: String) -> String {
    "[...document.querySelectorAll('.place')].find(p => p.querySelector('legend').textContent.startsWith('\(name)'))"
  }

  private static func choose(_ name: String, _ who: String) -> String {
    "eval \(place(name)).querySelector('[data-who=\(who)]').click()"
  }

  @Test("a click shows what it comes to; what is saved, applied, gives just that")
  func decisions() throws {
    let program = try makeTrip()
    let page = PageBrowser(program: program)
    let seen = try page.run(
      "p.html", "size 1000 800", "eval document.querySelectorAll('.place').length",
      Self.result("body"), Self.choose("body", "ada"), Self.result("body"),
      Self.choose("body", "bob"), Self.result("body"),
      "eval (\(Self.place("title")).querySelector('[value=edited]').click(), \(Self.place("title")).querySelector('textarea').focus(), 0)",
      "type W ", Self.result("title"), Self.tally,
      Self.choose("agenda", "bob"), Self.tally,
      "click #save", "wait decisions.json", "eval document.getElementById('json').value")
    #expect(
      seen.dropLast() == [
        "3", "\"two\"", "null", "\"one\"", "null", "\"two\"", "0", "\"W V\"",
        "\"2 decided, 1 left open.\"", "null", "\"3 decided, 0 left open.\"",
      ], "\(seen)")
    let run = try program.sh(
      """
      pnmerge review --apply decisions.json a b >&2; pnmerge cat a /title; pnmerge cat a /body
      pnmerge cat a /agenda/0/title; pnmerge conflicts -q a; cat decisions.json
      """)
    let lines = run.output.split(separator: "\n", maxSplits: 3).map(String.init)
    try #require(lines.count == 4, "\(run)")
    #expect(lines[0] == "\"W V\"")
    #expect(lines[1] == "\"We meet at two in the hall.\\nBring a coat.\\n\"")
    #expect(lines[2] == "\"</script><img src=x onerror=alert(1)>\"")
    let shown = try JSONDecoder().decode(String.self, from: Data((seen.last ?? "").utf8))
    #expect(lines[3] == shown)
  }

  @Test("one person's versions are taken with one click; decided places fold, and open again")
  func everywhere() throws {
    let program = try makeTrip()
    let seen = try PageBrowser(program: program).run(
      "p.html", "size 1000 800", "click [data-who=ada].take", Self.tally, Self.result("title"),
      "eval document.querySelectorAll('.place.folded').length",
      "eval [...document.querySelectorAll('.choice')].filter(c => c.offsetHeight).length",
      "click .again", "eval document.querySelectorAll('.place.folded').length",
      "eval document.activeElement.type")
    #expect(
      seen == ["\"3 decided, 0 left open.\"", "\"U\"", "3", "0", "2", "\"radio\""], "\(seen)")
  }

  @Test("choices survive a reload")
  func reload() throws {
    let program = try makeTrip()
    let seen = try PageBrowser(program: program).run(
      "p.html", "size 1000 800", Self.choose("body", "ada"), "click .change input", Self.tally,
      "reload", Self.tally, Self.result("body"), "eval document.querySelectorAll('.out').length")
    #expect(
      seen == [
        "null", "\"2 decided, 2 left open.\"", "\"2 decided, 2 left open.\"", "\"one\"", "1",
      ], "\(seen)")
  }

  @Test("the keyboard alone decides everything, and what it is on is never covered")
  func keyboard() throws {
    let program = try makeTrip()
    let covered =
      "eval document.activeElement.getBoundingClientRect().bottom > document.getElementById('bar').getBoundingClientRect().top"
    let next = "eval (document.getElementById('next').focus(), 0)"
    let seen = try PageBrowser(program: program).run(
      "p.html", "size 360 500", next, "keys Enter ArrowDown", Self.tally, covered, next,
      "keys Enter ArrowDown", Self.tally, covered, next, "keys Enter ArrowDown", Self.tally,
      covered,
      next, "eval document.getElementById('next').hidden",
      "eval (document.getElementById('save').focus(), 0)", "keys Enter", "wait decisions.json")
    let tallies = seen.filter { $0.contains("decided") }
    #expect(
      tallies == [
        "\"1 decided, 2 left open.\"", "\"2 decided, 1 left open.\"", "\"3 decided, 0 left open.\"",
      ], "\(seen)")
    #expect(!seen.contains("true") || seen.count { $0 == "true" } == 1, "\(seen)")
    let run = try program.sh("pnmerge review -q --apply decisions.json a b")
    #expect(run.status == 0, "\(run)")
  }

  @Test("what a document says shows as text and does nothing")
  func hostile() throws {
    let program = try makeTrip()
    let seen = try PageBrowser(program: program).run(
      "p.html", "eval document.scripts.length + document.images.length",
      "eval document.body.innerText.includes('</script><img src=x onerror=alert(1)>')",
      "eval document.body.innerText.includes('\\\\u202etxet\\\\u202c a\\\\u2028b')",
      "eval document.body.innerText.includes('<b>eve</b>')")
    #expect(seen == ["1", "true", "true", "true"], "\(seen)")
  }

  @Test("readable without scripts, on narrow screens, in the dark and on paper")
  func surroundings() throws {
    let program = try makeTrip()
    let page = PageBrowser(program: program)
    let silent = try page.run(
      "p.html", "noscript", "eval document.body.innerText.includes('This browser runs no scripts')",
      "eval document.body.innerText.includes('Save this, or copy it')",
      "eval document.body.innerText.includes('We meet at noonone in the hall.')",
      "eval getComputedStyle(document.querySelector('.place input')).display",
      "eval getComputedStyle(document.getElementById('bar')).display")
    #expect(silent == ["true", "false", "true", "\"none\"", "\"none\""], "\(silent)")
    let fits = "eval document.documentElement.scrollWidth <= innerWidth"
    let back = "eval getComputedStyle(document.body).backgroundColor"
    let bar = "eval getComputedStyle(document.getElementById('bar')).display"
    let seen = try page.run(
      "p.html", "size 320 600", fits, "size 1200 800", fits, "media light", back, "media dark",
      back, "media print", back, bar)
    #expect(
      seen == [
        "true", "true", "\"rgb(255, 255, 255)\"", "\"rgb(20, 24, 29)\"", "\"rgb(255, 255, 255)\"",
        "\"none\"",
      ], "\(seen)")
  }

  /// `PEERNOTE_PAGES` is how many pages are tried, `PEERNOTE_SEED` the first seed.
  @Test("what a page shows after random choices is what is written, to the byte")
  func promise() throws {
    let first = TestSetting.number("SEED") ?? 1
    for seed in first..<first + (TestSetting.number("PAGES") ?? 3) {
      var random = SplitMix64(seed: seed)
      let program = try Program()
      let made = try program.sh(
        "mkdir x y; \(Self.notes(&random).joined(separator: "\n"))\npnmerge review -q --html p.html x y"
      )
      #expect(made.status == 0, "seed \(seed): \(made)")
      let seen = try PageBrowser(program: program).run(
        "p.html", "size 1000 800", "eval \(Self.choosing(seed))", "eval \(Self.shown)",
        "eval document.getElementById('json').value")
      let decisions = try JSONDecoder().decode(String.self, from: Data((seen.last ?? "").utf8))
      try Data(decisions.utf8).write(to: program.directory.appending(path: "d.json"))
      let shown = try JSONDecoder().decode(
        [[String]].self, from: Data(try #require(seen.dropFirst().first).utf8))
      try #require(!shown.isEmpty, "seed \(seed)")
      var script = "pnmerge review -q --apply d.json x y; [ $? -le 1 ] || echo failed"
      for part in shown {
        script +=
          "\npnmerge cat --raw '\(part[0])' \(part[1]) > got; printf '%s' '\(part[2])' | cmp - got"
      }
      let run = try program.sh(script)
      #expect(run.output.isEmpty && run.errors.isEmpty, "seed \(seed): \(run)\n\(decisions)")
    }
  }

  /// Copies of some notes, edited at random.
  private static func notes(_ random: inout SplitMix64) -> [String] {
    let words = ["hall", "noon.", "EUR", "45,000", "we", "meet!", "é", "<b>", "a&b", "x"]
    func lines(_ random: inout SplitMix64) -> [String] {
      (0..<random.within(3...9)).map { _ in
        (0..<random.within(1...8)).map { _ in random.pick(words) }.joined(separator: " ")
      }
    }
    var script: [String] = []
    for note in 0..<4 {
      let start = lines(&random)
      func text(_ lines: [String]) -> String { "printf '\(lines.joined(separator: "\\n"))\\n'" }
      script.append(
        "\(text(start)) | pnmerge new -q x/\(note).peernote --title T --body-file - --author eve")
      script.append("cp x/\(note).peernote y/\(note).peernote")
      for (folder, author) in [("x", "ada"), ("y", "bob")] {
        var edited = start
        for _ in 0..<random.within(1...4) {
          let line = random.below(edited.count)
          switch random.below(4) {
          case 0: edited.insert(random.pick(words), at: line)
          case 1 where edited.count > 1: edited.remove(at: line)
          default:
            var parts = edited[line].split(separator: " ").map(String.init)
            parts[random.below(parts.count)] = random.pick(words) + random.pick(words)
            edited[line] = parts.joined(separator: " ")
          }
        }
        script.append(
          "\(text(edited)) | pnmerge edit -q \(folder)/\(note).peernote --body-file - --author \(author)"
        )
        if random.chance(50) {
          script.append(
            "pnmerge edit -q \(folder)/\(note).peernote --title \(folder)\(random.below(3)) --author \(author)"
          )
        }
      }
    }
    return script
  }

  /// Chooses at random everywhere.
  private static func choosing(_ seed: UInt64) -> String {
    """
    (() => {
      let state = \(seed) * 7919 + 1;
      const below = n => (state = (state * 48271) % 2147483647) % n;
      for (const place of document.querySelectorAll('[data-place]')) {
        const inputs = [...place.querySelectorAll('input')];
        if (!inputs.length || below(4) === 0) continue;
        const input = inputs[below(inputs.length)];
        if (input.type === 'checkbox' && below(2)) continue;
        input.click();
        const draft = place.querySelector('textarea');
        if (input.value === 'edited') {
          draft.value += ' ' + below(9);
          draft.dispatchEvent(new Event('input', {bubbles: true}));
        }
      }
      return document.getElementById('tally').textContent;
    })()
    """
  }

  /// What the page shows of each text and each title that is to be decided: file, path, content.
  private static let shown = """
    [...document.querySelectorAll('[data-document]')].flatMap(section => {
      const file = section.querySelector('h2').textContent.split(':')[0];
      const texts = [...section.querySelectorAll('.doc')].map(text => [file, text.dataset.path,
        [...text.querySelectorAll('.t')].map(part => {
          const copy = part.cloneNode(true);
          copy.querySelectorAll(part.closest('.out') ? 'ins' : 'del').forEach(e => e.remove());
          return copy.textContent;
        }).join('')]);
      const values = [...section.querySelectorAll('.place')].filter(
        place => !place.closest('.doc')).map(place => [file,
          JSON.parse(place.dataset.place).path,
          document.getElementById('r' + place.id.slice(1)).textContent]);
      return [...texts, ...values];
    })
    """
}
