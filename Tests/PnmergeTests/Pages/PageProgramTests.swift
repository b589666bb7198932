import Foundation
import PeernoteTestSupport
import Testing

/// Pages in a real browser: Chromium without a window, driven over its pipe.
@Suite("Pages in a browser", .serialized) struct PageProgramTests {
  /// Two copies, in which both named a trip and its hall anew, and one deleted what the other changed.
  private func makeTrip() throws -> Program {
    let program = try Program()
    let run = try program.sh(
      #"""
      set -e
      pnmerge new -q a --author ada --title Trip
      pnmerge set -q a /body '"We meet in the hall at noon.\nBring a coat.\n"' --author ada
      pnmerge set -q a /agenda '[{"title":"Venue","minutes":10}]' --author ada
      cp a b
      for side in 'a U old ada' 'b V great bob'; do
        set -- $side
        pnmerge set -q $1 /title "\"$2\"" --author $4
        pnmerge set -q $1 /body "\"We meet in the $3 hall at noon.\\nBring a coat.\\n\"" --author $4
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

  @Test("a click shows what it comes to; what is saved, applied, gives just that")
  func decisions() throws {
    let program = try makeTrip()
    let page = PageBrowser(program: program)
    let seen = try page.run(
      "p.html", "size 1000 800", "eval document.querySelectorAll('.card').length",
      "eval document.querySelector('#d1 .result').innerText.trim().split(' ').sort().join(' ')",
      "click #d1 [data-side=theirs]", "eval document.querySelector('#d1 .result').innerText.trim()",
      "click #d1 [data-side=mine]", "eval document.querySelector('#d1 .result').innerText.trim()",
      "click #d2 textarea", "type W ", "eval document.querySelector('#d2 .result').innerText",
      "eval document.getElementById('tally').textContent",
      "click #d3 [data-side=theirs]", "eval document.getElementById('tally').textContent",
      "click #save", "wait decisions.json", "eval document.getElementById('json').value")
    #expect(
      seen.dropLast() == [
        "3", "\"great old\"", "\"great\"", "\"old\"", "\"VW \"", "\"2 decided, 1 left open.\"",
        "\"All is decided.\"",
      ])
    let run = try program.sh(
      """
      pnmerge review --apply decisions.json a b >&2; pnmerge get a /title; pnmerge get a /body
      pnmerge get a /agenda/0/title; pnmerge conflicts -q a; cat decisions.json
      """)
    let lines = run.output.split(separator: "\n", maxSplits: 3).map(String.init)
    try #require(lines.count == 4, "\(run)")
    #expect(lines[0] == "\"VW \"")
    #expect(lines[1] == "\"We meet in the old hall at noon.\\nBring a coat.\\n\"")
    #expect(lines[2] == "\"</script><img src=x onerror=alert(1)>\"")
    let shown = try JSONDecoder().decode(String.self, from: Data((seen.last ?? "").utf8))
    #expect(lines[3] == shown)
  }

  @Test("the keyboard alone decides everything")
  func keyboard() throws {
    let program = try makeTrip()
    let seen = try PageBrowser(program: program).run(
      "p.html", "size 1000 800", "keys Tab Tab ArrowDown ArrowDown",
      "eval document.activeElement.name + ' ' + document.activeElement.value",
      "eval document.getElementById('tally').textContent",
      "eval (document.getElementById('next').focus(), document.getElementById('next').hash)",
      "keys Enter", "eval document.activeElement.name",
      "keys ArrowDown", "eval document.getElementById('tally').textContent",
      "eval (document.getElementById('next').focus(), 0)", "keys Tab Enter", "wait decisions.json")
    try #require(seen.count == 6, "\(seen)")
    #expect(seen[0].hasPrefix("\"d1 "), "\(seen)")
    #expect(seen[1] == "\"1 decided, 2 left open.\"")
    #expect(seen[2] == "\"#d2\"" && seen[3] == "\"d2\"", "\(seen)")
    #expect(seen[4] == "\"2 decided, 1 left open.\"", "\(seen)")
    let run = try program.sh("pnmerge review -q --apply decisions.json a b")
    #expect(run.status == 1, "\(run)")
  }

  @Test("a link at the end of each card goes on to the next open one, and then to saving")
  func goingOn() throws {
    let program = try makeTrip()
    let seen = try PageBrowser(program: program).run(
      "p.html", "size 1000 800", "keys Tab Tab ArrowDown Tab Tab",
      "eval document.activeElement.textContent", "keys Enter",
      "eval document.activeElement.name", "keys ArrowDown",
      "click #d2 .next", "eval document.activeElement.name", "keys ArrowDown",
      "click #d3 .next", "eval document.activeElement.id", "keys Enter", "wait decisions.json",
      "eval document.getElementById('tally').textContent")
    #expect(
      seen == [
        "\"Next to decide\"", "\"d2\"", "\"d3\"", "\"save\"", "\"All is decided.\"",
      ], "\(seen)")
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
      "eval document.body.innerText.indexOf('This browser') < document.body.innerText.indexOf('To decide')",
      "eval document.body.innerText.includes('What you chose stands here')",
      "eval document.body.innerText.includes('Would come in')",
      "eval getComputedStyle(document.querySelector('#d1 [data-side=mine] input')).display",
      "eval getComputedStyle(document.getElementById('bar')).display")
    #expect(
      silent == ["true", "true", "false", "true", "\"none\"", "\"none\""], "\(silent)")
    let fits = "eval document.documentElement.scrollWidth <= innerWidth"
    let back = "eval getComputedStyle(document.body).backgroundColor"
    let bar = "eval getComputedStyle(document.getElementById('bar')).display"
    let seen = try page.run(
      "p.html", "size 320 600", fits, "size 1200 800", fits, "media light", back, "media dark",
      back,
      "media print", back, bar)
    #expect(
      seen == [
        "true", "true", "\"rgb(255, 255, 255)\"", "\"rgb(20, 24, 29)\"", "\"rgb(255, 255, 255)\"",
        "\"none\"",
      ], "\(seen)")
  }
}
