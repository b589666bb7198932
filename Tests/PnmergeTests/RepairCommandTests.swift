import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

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

  @Test("a restored copy is complete, and the damaged file stays as it is")
  func restored() throws {
    let whole = host["a"]
    host["a"]?[40] ^= 4
    let damaged = host["a"]
    let run = host.pnmerge("repair", "a", "-o", "b")
    #expect(run.status == .done)
    #expect(
      run.output == """
        a: restored, as its checksum proves: one bit was flipped, in byte 40
        b: saved 2 changes, all proven by checksums

        """)
    #expect(host["b"] == whole)
    #expect(host["a"] == damaged)
    #expect(host.pnmerge("repair", "-q", "a", "-o", "c").output == "")
  }

  @Test("what is lost is listed, with author and time, also if quiet")
  func lost() throws {
    try damage("a", at: "three")
    for (option, file) in [("--quiet", "b"), ("--verbose", "d")] {
      let run = host.pnmerge("repair", option, "a", "old", "-o", file)
      #expect(run.status == .different)
      #expect(run.output.contains("old: sound\n"))
      #expect(run.output.contains("\(file): saved 1 change\n1 change could not be saved\n"))
      #expect(run.output.contains(" by bob, 20 Nov 14:02: some of its text cannot be read\n"))
      #expect(host[file] == host["old"])
    }
    let json = host.pnmerge("repair", "--json", "a", "old", "-o", "c").output
    #expect(json.hasPrefix(#"{"schema":1,"output":"c","written":true,"document":""#))
    #expect(json.contains(#""complete":false,"changes":1,"copies":[{"file":"a","bytes":[0,"#))
    #expect(json.contains(#""reading":"salvaged""#) && json.contains(#""author":"bob""#))
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

  @Test("a copy of no use beside a sound one is said, and is the status")
  func noUse() throws {
    host.setText("draft", "text\n")
    host.pnmerge("new", "sound", "--title", "T", "--body-file", "draft")
    host["cut"] = Array((host["sound"] ?? []).prefix(40))
    let run = host.pnmerge("repair", "-o", "whole", "sound", "cut")
    #expect(run.status == .different, "\(run)")
    #expect(run.output.contains("of no use"), "\(run)")
    #expect(host["whole"] == host["sound"])
  }

  @Test("what is not proven is listed")
  func unproven() throws {
    let place = try #require(host["a"]?.firstRange(of: Array("three".utf8)))
    host["a"]?.replaceSubrange(place, with: Array("thorn".utf8))
    let run = host.pnmerge("repair", "a", "old", "-o", "-")
    #expect(run.status == .different)
    #expect(run.errors.contains("standard output: saved 2 changes\n1 change of these no checksum"))
    #expect(run.errors.contains(" by bob, 20 Nov 14:02\n"))
    #expect(try Document(bytes: host.output).changeCount == 2)
  }

  @Test("with --proven what is not proven is left out, and listed as lost")
  func proven() throws {
    let place = try #require(host["a"]?.firstRange(of: Array("three".utf8)))
    host["a"]?.replaceSubrange(place, with: Array("thorn".utf8))
    let run = host.pnmerge("repair", "--proven", "a", "old", "-o", "b")
    #expect(run.status == .different && host["b"] == host["old"])
    #expect(run.output.contains("b: saved 1 change\n1 change could not be saved\n"))
    #expect(run.output.contains(" by bob, 20 Nov 14:02: no checksum proves it\n"))
    let alone = host.pnmerge("repair", "--proven", "a", "-o", "c")
    #expect(alone.status == .damaged && host["c"] == nil)
    #expect(
      alone.errors == "pnmerge: nothing is proven by a checksum; nothing was written\n")
    #expect(host.pnmerge("repair", "--proven", "--content", "a", "-o", "c").status == .usage)
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
        "a: 8 characters of deleted text count as redacted because it says so, which nothing "
          + "proves; a merge takes them out of other copies, too\n"))
    try damage("a", at: "three")
    let run = host.pnmerge("repair", "a", "sound", "-o", "b")
    #expect(run.status == .different)
    #expect(
      run.output.contains(
        "a: 8 characters of deleted text stay though it says that they were redacted, which "
          + "nothing proves\n"), "\(run.output)")
    #expect(run.output.hasSuffix("to take out all deleted text: pnmerge redact b\n"))
    #expect(host["b"] == host["sound"])
    let alone = host.pnmerge("repair", "--json", "a", "old", "-o", "c").output
    #expect(alone.contains(#""redacted_characters":0,"unredacted_characters":"#), "\(alone)")
  }

  @Test("where nothing can be saved nothing is written, and what was there is listed")
  func nothing() throws {
    try damage("a", at: "one")
    let run = host.pnmerge("repair", "a", "-o", "b")
    #expect(run.status == .damaged)
    #expect(run.output.contains("2 changes could not be saved\n"))
    #expect(run.errors == "pnmerge: nothing could be saved; nothing was written\n")
    host["a"] = [1, 2, 3]
    #expect(host.pnmerge("repair", "a", "-o", "b").status == .damaged)
    #expect(host["b"] == nil)
    host.pnmerge("new", "other", "--title", "T")
    #expect(host.pnmerge("repair", "old", "other", "-o", "b").status == .notSameDocument)
    #expect(host["b"] == nil)
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

  @Test("what one copy shows can be saved as a new document, with marks for what is lost")
  func content() throws {
    try damage("a", at: "two")
    let run = host.pnmerge("repair", "a", "-o", "b")
    #expect(run.status == .damaged)
    #expect(
      run.output.hasSuffix(
        "to start a new document from what a shows: pnmerge repair --content a -o FILE\n"))
    #expect(host.pnmerge("repair", "--content", "a", "-o", "b").status == .different)
    let note = try #require(try host.note("b"))
    #expect(note.title == "T" && note.body == "one\n\u{FFFD}\u{FFFD}\u{FFFD}\nthree\n")
    #expect(host.pnmerge("validate", "b").output == "b: sound\n")
    #expect(host.pnmerge("merge", "old", "b").status == .notSameDocument)
    // A file that ends in the middle of the text.
    let end = try #require(host["a"]?.firstRange(of: Array("three".utf8))).lowerBound
    host["a"]?.removeSubrange((end + 3)...)
    #expect(host.pnmerge("repair", "--content", "a", "-o", "c").status == .different)
    #expect(try host.note("c")?.body == "one\n\u{FFFD}\u{FFFD}\u{FFFD}\nthr")
    host["a"] = [1, 2, 3]
    #expect(host.pnmerge("repair", "--content", "a", "-o", "d").status == .damaged)
    #expect(host["d"] == nil)
    #expect(host.pnmerge("repair", "--content", "a", "old", "-o", "d").status == .usage)
    #expect(host.pnmerge("repair", "--author", "x", "old", "-o", "d").status == .usage)
    #expect(host.pnmerge("repair", "--content", "--json", "old", "-o", "d").status == .usage)
    #expect(host["d"] == nil)
  }

  @Test("an existing file is not overwritten, and a dry run writes nothing")
  func output() {
    let old = host["old"]
    #expect(host.pnmerge("repair", "a", "-o", "old").status == .cannotCreate)
    #expect(host.pnmerge("repair", "old", "-o", "old").status == .cannotCreate)
    #expect(host["old"] == old)
    let run = host.pnmerge("repair", "-n", "a", "-o", "b")
    #expect(run.output.hasSuffix("b: would save 2 changes, all proven by checksums\n"))
    #expect(host["b"] == nil)
    #expect(host.pnmerge("repair", "a").status == .usage)
    #expect(host.pnmerge("repair", "-", "-", "-o", "b").status == .usage)
  }
}
