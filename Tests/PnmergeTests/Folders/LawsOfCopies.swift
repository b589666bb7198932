import Peernote
import PeernoteFiles
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// Conflict copies of one note, each with lines of its own, that are folded one after another.
///
/// Whatever the order, the note reads the same; the lines of each copy stand in the order in which it has
/// them, and a row of new lines stands together.
///
/// `PEERNOTE_ROUNDS` sets how many notes are tried, `PEERNOTE_SEED` the first one's seed.
@Suite struct LawsOfCopies {
  private static let seeds = TestSetting.seeds(12)

  private static let base = (0..<6).map { "Line \($0) of the note" }

  /// A copy: the note with rows of lines of its own.
  private struct Copy {
    let number: Int
    var lines: [String]
    var rows: [[String]] = []

    init(_ number: Int, _ random: inout SplitMix64) {
      self.number = number
      lines = LawsOfCopies.base
      for row in 0..<1 + Int(random.next() % 3) {
        let new = (0..<1 + Int(random.next() % 3)).map { "copy \(number) row \(row) line \($0)" }
        // Between lines of the note, so that a row is one edit.
        let places = (0...lines.count).filter { place in
          [place - 1, place].allSatisfy {
            !lines.indices.contains($0) || lines[$0].hasPrefix("Line")
          }
        }
        lines.insert(contentsOf: new, at: places[Int(random.next() % UInt64(places.count))])
        rows.append(new)
      }
    }

    var text: String { lines.map { $0 + "\n" }.joined() }
  }

  /// The lines of a note after some copies were folded into it.
  private static func fold(_ copies: [Copy], inOneGo: Bool, tracked: Bool) throws -> [String] {
    let host = MemoryHost()
    host.keepsTime = true
    let name = tracked ? "n.md" : "n.peernote"
    try host.makeDirectory(FileName("d"))
    func pass() { host.now = Timestamp(milliseconds: host.now.milliseconds + 300_000) }
    host.setText(tracked ? "d/n.md" : "draft", base.map { $0 + "\n" }.joined())
    if tracked {
      host.pnmerge("track", "d")
    } else {
      host.pnmerge("new", "d/n.peernote", "--body-file", "draft")
    }
    host.copy("d/\(name)", "start")
    for (number, copy) in copies.enumerated() {
      pass()
      let file =
        "d/"
        + name.replacing("n.", with: "n.sync-conflict-2026112\(number)-120000-ABCDEF\(number).")
      if tracked {
        host.setText(file, copy.text)
      } else {
        host.copy("start", file)
        host.setText("draft", copy.text)
        host.pnmerge(
          "edit", file, "--body-file", "draft", "--agent", "a\(copy.number)")
      }
      pass()
      if !inOneGo { #expect(host.pnmerge("tidy", "d").status == .done) }
    }
    if inOneGo { #expect(host.pnmerge("tidy", "d").status == .done) }
    let text =
      tracked ? host.text("d/n.md") ?? "" : host.pnmerge("cat", "--body", "d/n.peernote").output
    return text.split(separator: "\n").map(String.init)
  }

  @Test("no fold puts lines into an order that nobody wrote", arguments: [false, true])
  func order(tracked: Bool) throws {
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let copies = (0..<2 + Int(random.next() % 4)).map { Copy($0, &random) }
      let lines = try Self.fold(copies, inOneGo: false, tracked: tracked)
      for copy in copies {
        let own = Set(copy.lines)
        #expect(lines.filter(own.contains) == copy.lines, "seed \(seed): \(lines)")
        for row in copy.rows {
          let start = lines.firstIndex(of: row[0]) ?? 0
          #expect(Array(lines[start...].prefix(row.count)) == row, "seed \(seed): \(lines)")
        }
      }
      #expect(
        lines.count == Self.base.count + copies.flatMap(\.rows).joined().count, "seed \(seed)")
      if !tracked {
        let again = try Self.fold(copies.reversed(), inOneGo: true, tracked: tracked)
        #expect(again == lines, "seed \(seed)")
      }
    }
  }
}
