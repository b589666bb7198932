import PnmergeCommands
import Testing

@Suite("The page of a comparison") struct DiffPageTests {
  private let host = MemoryHost()

  init() {
    host.makeMeeting()
    host.pnmerge("insert", "b", "/l/-", #"{"title":"</script><b>"}"#, "--author", "<i>")
  }

  @Test("of copies it says whose each change is")
  func copies() throws {
    let run = host.pnmerge("diff", "--html", "-", "a", "b")
    #expect(run.status == .different)
    for part in [
      "<h2>Only in b</h2>", "<h3><bdi>bob</bdi></h3>", "<h2>Changed in both</h2>",
      "<del><bdi>1</bdi></del> became", "&lt;/script&gt;&lt;b&gt;", "<h3><bdi>&lt;i&gt;</bdi></h3>",
      "<ins>great </ins>",
    ] { #expect(run.output.contains(part), "\(part) in \(run.output)") }
    try PageMarkup(run.output).check()
    #expect(!run.output.contains("<script"))
    #expect(host.pnmerge("diff", "--html", "same.html", "a", "a").status == .done)
  }

  @Test("of two states, and of others, it shows the lines that differ")
  func states() throws {
    let first = host.pnmerge("log", "a").output.split(separator: "\n").last.map(String.init) ?? ""
    let change = first.split(separator: " ").first.map(String.init) ?? ""
    let past = host.pnmerge("diff", "--html", "past.html", "a", "--at", change)
    #expect(past.status == .different && past.output == "past.html: written\n", "\(past)")
    let page = String(decoding: try #require(host["past.html"]), as: UTF8.self)
    #expect(page.contains("<ins>old </ins>"), "\(page)")
    try PageMarkup(page).check()
    let plain = host.pnmerge("diff", "--two-way", "--html", "-", "a", "b").output
    #expect(plain.contains("<del>old</del>") || plain.contains("<del>old"), "\(plain)")
    try PageMarkup(plain).check()
    #expect(host.pnmerge("diff", "--html", "x", "--json", "a", "b").status == .usage)
    #expect(host.pnmerge("diff", "--html", "a", "a", "b").status == .cannotCreate)
  }
}
