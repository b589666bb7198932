import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("The page of a history", .serialized) struct LogPageTests {
  @Test(
    "each change stands on it with what it did, newest first; older ones are said to be left out")
  func content() throws {
    let host = MemoryHost()
    host.makeMeeting()
    let page = host.pnmerge("log", "--html", "-", "a").output
    try PageMarkup(page).check()
    #expect(page.contains("We meet at <del>noon</del><ins>one</ins> in the hall."), "\(page)")
    #expect(
      page.contains("<ins>U</ins>"))
    let all = page.matches(of: #/<article/#).count
    let less = host.pnmerge("log", "--html", "-", "-n", "1", "a").output
    #expect(all > 1 && less.matches(of: #/<article/#).count == 1)
    #expect(host.pnmerge("log", "--html", "x", "-p", "a").status == .usage && host["x"] == nil)
    for number in 0..<210 { host.pnmerge("set", "a", "/n", "\(number)") }
    let long = host.pnmerge("log", "--html", "-", "a").output
    #expect(long.contains("older changes left out of this page"))
  }

  @Test("the slider shows one change at a time, by keys")
  func slider() throws {
    let program = try Program()
    let made = try program.sh(
      """
      pnmerge new -q a; for n in 1 2 3; do pnmerge set -q a /n "$n"; done
      pnmerge log -q --html l.html a
      """)
    #expect(made.status == 0, "\(made)")
    let count = "eval [...document.querySelectorAll('.version')].filter(v => v.offsetHeight).length"
    let number = "eval document.getElementById('number').textContent"
    let seen = try PageBrowser(program: program).run(
      "l.html", count, number, "eval document.getElementById('slider').focus()", "keys ArrowDown",
      number, count, "click #all", count)
    #expect(seen == ["1", "\"4 of 4\"", "null", "\"3 of 4\"", "1", "4"], "\(seen)")
  }
}
