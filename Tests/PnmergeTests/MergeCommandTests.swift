import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `merges.txt` and `merge-streams.txt` of
/// `Fixtures/outputs`.
@Suite("Merging copies")
struct MergeCommandTests {
  private let host = MemoryHost()

  init() {
    host.setText("draft", "one\n\ntwo\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft", "--author", "me")
    host.copy("a", "b")
    host.copy("a", "c")
    host.pnmerge("edit", "a", "--title", "Desk", "--author", "desk", "--agent", "d")
    host.pnmerge("edit", "b", "--title", "Phone", "--author", "phone", "--agent", "e")
    host.pnmerge("edit", "c", "--tag", "laptop", "--author", "laptop", "--agent", "f")
  }

  @Test("a merge that brings sections of another program says so, in both directions")
  func furtherSections() throws {
    var extended = try DocumentFile(try #require(host["a"]))
    extended.unknownSections = [.init(number: 200, content: [0xF6])]
    host["d"] = extended.bytes()
    let whole = host["d"]
    let trial = host.pnmerge("merge", "--dry-run", "a", "d")
    #expect(trial.output.hasPrefix("a: would take over optional sections in d; no new changes\n"))
    let run = host.pnmerge("merge", "a", "d")
    #expect(run.output.hasPrefix("a: took over optional sections in d; no new changes\n"))
    #expect(host["a"] == whole)
    #expect(host.pnmerge("merge", "d", "a").output.hasPrefix("d: same as a"))
    #expect(host["d"] == whole)
  }

  @Test("a report is short, however many scalars a character has and however many values compete")
  func shortReport() {
    let marks = "e" + String(repeating: "\u{301}", count: 20_000)
    host.pnmerge("set", "a", "/title", "\"\(marks)\"", "--agent", "a1")
    var copies: [String] = []
    for number in 0..<30 {
      let copy = "copy\(number)"
      copies.append(copy)
      host.copy("b", copy)
      host.pnmerge("set", copy, "/title", "\"\(marks)\(number)\"", "--agent", "c\(number)")
    }
    let run = host.pnmerge(["merge", "a"] + copies)
    #expect(run.output.utf8.count < 30_000, "\(run.output.utf8.count)")
    #expect(run.output.contains(", and 20 more\n"), "\(run.output)")
  }

  @Test("optional sections are listed, held to a limit, and dropped by repair")
  func sectionLimit() throws {
    func extended(_ number: UInt64, _ size: Int) throws -> [UInt8] {
      var file = try DocumentFile(try #require(host["a"]))
      // A byte string, whose head takes five bytes.
      let count = size - 5
      let head = [0x5A] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
      file.unknownSections = [
        .init(number: number, content: head + [UInt8](repeating: 7, count: count))
      ]
      return file.bytes()
    }
    let limit = 1 << 20
    let plain = host["a"]
    host["x"] = try extended(130, limit)
    host["y"] = try extended(131, 70_000)
    host["z"] = try extended(130, limit + 1)
    let listed = host.pnmerge("inspect", "x").output
    #expect(listed.contains("optional section 130  1048576 bytes at "), "\(listed)")
    #expect(host.pnmerge("cat", "x").status == .done)
    #expect(host.pnmerge("cat", "z").status == .damaged)
    let refused = host.pnmerge("merge", "a", "z")
    #expect(refused.status == .damaged && refused.errors.hasPrefix("pnmerge: z: byte "))
    #expect(host["a"] == plain)
    // Each is within the limit, both together are not.
    #expect(host.pnmerge("merge", "x", "y").status == .damaged)
    for (index, name) in ["x", "z"].enumerated() {
      let run = host.pnmerge("repair", "--without-sections", name, "-o", "r\(index)")
      #expect(run.status == .done, "\(run)")
      #expect(host["r\(index)"] == plain)
    }
    #expect(host.pnmerge("merge", "r0", "y").status == .done)
    #expect(host.pnmerge("repair", "y", "-o", "kept").status == .done)
    #expect(host["kept"] == host["y"])
  }

  @Test("standard input is read once, whatever is made of it")
  func standardInput() throws {
    #expect(host.pnmerge("merge", "-", "-").status == .usage)
    host.input = try #require(host["b"])
    var isDone = false
    host.witness = { [host] call in
      guard call == .synchronize, !isDone else { return }
      isDone = true
      host.input = []
      host.entries[FileName("/work/a")]?.bytes = host["c"] ?? []
    }
    #expect(host.pnmerge("merge", "a", "-").status == .done)
    let note = try host.note("a")
    #expect(note?.title == "Phone" && note?.tags == ["laptop"])
  }

  @Test("where old bytes cannot be kept the merge is done all the same, with a warning")
  func noBackupPlace() throws {
    host.variables["XDG_STATE_HOME"] = "/nowhere"
    host.entries[FileName("/")]?.mode = 0o555
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.status == .done)
    #expect(run.errors.hasPrefix("pnmerge: warning: cannot keep the old bytes for undo: "))
    #expect(!run.output.contains("to go back"))
    let elsewhere = host.pnmerge("merge", "-o", "old", "b", "c")
    #expect(elsewhere.status == .done && !elsewhere.output.contains("to go back"))
    #expect(try host.note("a")?.title == "Phone")
    #expect(host.pnmerge("merge", "--no-backup", "a", "c").errors == "")
  }
}
