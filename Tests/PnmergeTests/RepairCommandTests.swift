import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// More stands in `Fixtures/outputs/repairs.txt`.
@Suite("Repairing")
struct RepairCommandTests {
  private let host = MemoryHost()

  init() {
    host.setText("draft", "one\ntwo\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft", "--author", "ann")
    host.copy("a", "old")
    host.setText("draft", "one\ntwo\nthree\n")
    host.pnmerge("edit", "a", "--body-file", "draft", "--author", "bob")
  }

  /// Overwrites a text in a file.
  private func damage(_ name: String, at text: String) throws {
    let place = try #require(host[name]?.firstRange(of: Array(text.utf8)))
    host[name]?.replaceSubrange(place, with: repeatElement(0xFF, count: place.count))
  }

  @Test("what the device does not give is said, and taken from another copy")
  func failingDevice() throws {
    let whole = try #require(host["a"])
    let place = try #require(whole.firstRange(of: Array("three".utf8)))
    host.copy("a", "sound")
    host.entries[FileName("/work/a")]?.unreadable = place
    let run = host.pnmerge("repair", "a", "sound", "-o", "b")
    #expect(run.status == .done)
    let hole = "bytes \(place.lowerBound) to \(place.upperBound - 1)"
    #expect(run.errors == "a: \(hole) cannot be read; the device fails\n")
    #expect(host["b"] == whole)
    let json = host.pnmerge("repair", "--json", "a", "old", "-o", "c")
    #expect(json.status == .different)
    #expect(
      json.output.contains(#""unreadable":[[\#(place.lowerBound),\#(place.upperBound)]]"#),
      "\(json.output)")
    #expect(host.pnmerge("cat", "a").status == .unreadable)
  }

  @Test("what a damaged copy says was redacted is counted, with the copy's name")
  func redactions() throws {
    host.setText("draft", "three\n")
    host.pnmerge("edit", "a", "--body-file", "draft", "--author", "bob")
    host.copy("a", "sound")
    host.pnmerge("redact", "a")
    // Nothing is left that could prove what was written.
    let end = try #require(host["a"]).count
    host["a"]?.replaceSubrange(end - 30..<end, with: repeatElement(0, count: 30))
    #expect(
      host.pnmerge("repair", "a", "-o", "d").output.contains(
        "a: 6 characters of deleted text count as redacted because it says so, which nothing "
          + "proves; a merge takes them out of other copies, too\n"))
    try damage("a", at: "three")
    let run = host.pnmerge("repair", "a", "sound", "-o", "b")
    #expect(run.status == .different)
    #expect(
      run.output.contains(
        "a: 6 characters of deleted text stay though it says that they were redacted, which "
          + "nothing proves\n"), "\(run.output)")
    #expect(run.output.hasSuffix("to take out all deleted text: pnmerge redact b\n"))
    #expect(host["b"] == host["sound"])
    let alone = host.pnmerge("repair", "--json", "a", "old", "-o", "c").output
    #expect(alone.contains(#""redacted_characters":0,"unredacted_characters":"#), "\(alone)")
  }

  @Test("of a copy that takes more than the limits to check it is said that it was not checked")
  func unchecked() throws {
    let copies = try HostileFile.halves(count: 3).map {
      try Document(id: HostileFile.id, changes: $0).bytes()
    }
    var whole = try Document(bytes: copies[0])
    _ = try whole.merge(Document(bytes: copies[1]))
    var narrow = Limits()
    narrow.stepsEachRow = 0
    // With fewer steps it cannot even be read.
    let repair = try #require(
      (1...50).lazy.map { steps in
        narrow.freeSteps = steps
        return Document.repair(copies: [whole.bytes()], limits: narrow)
      }.first { $0.document != nil })
    let reason = "concurrent edits take more steps to bring in order than the limit"
    let lines = try #require(repair.copies.first).lines(verbose: false)
    #expect(lines.count == 1 && lines[0].hasPrefix("not damaged: byte "))
    #expect(lines[0].hasSuffix(": \(reason)"))
    let line = try #require(repair.uncheckedLine)
    #expect(line.hasPrefix("its history could not be checked as a whole: byte "))
    #expect(line.hasSuffix(": \(reason)"))
    #expect(Document.repair(copies: [whole.bytes()]).uncheckedLine == nil)
  }

  @Test("a copy beyond the format's own limits is taken as it is, which programs are told, too")
  func beyondLimits() throws {
    let bytes = try HostileFile.beyondLimits()
    host["a"] = bytes
    let run = host.pnmerge("repair", "--json", "a", "-o", "b")
    #expect(run.status == .different && run.errors == "")
    #expect(host["b"] == bytes)
    let document = try Document(bytes: bytes)
    let finding = try #require(Document.validate(bytes: bytes).first)
    let message = "concurrent edits take more steps to bring in order than the limit"
    #expect(finding.reason == message)
    let offset = try #require(finding.offset)
    let change = try #require(finding.change)
    let place = "byte \(offset): log: change \(change)"
    let object =
      #"{"section":"log","offset":\#(offset),"change":"\#(change)","message":"\#(message)"}"#
    let copy =
      #"{"file":"a","bytes":[0,\#(bytes.count)],"reading":"unchecked","#
      + #""notes":["not damaged: \#(place): \#(message)"],"findings":[\#(object)],"#
      + #""changes":\#(document.changeCount),"unproven_changes":0,"redacted_characters":0,"#
      + #""unredacted_characters":0,"damaged_text":[],"unreadable":[]}"#
    #expect(
      run.output
        == #"{"schema":1,"output":"b","written":true,"document":"\#(HostileFile.id)","#
        + #""complete":false,"changes":\#(document.changeCount),"copies":[\#(copy)],"#
        + #""unproven":[],"lost":[],"lost_deleted_characters":0,"unchecked":[\#(object)],"#
        + #""contradictions":[]}"# + "\n")
  }
}
