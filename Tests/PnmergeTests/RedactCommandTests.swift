import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Redacting")
struct RedactCommandTests {
  private let host = MemoryHost()

  /// A note whose body held a password, and a copy from before it was deleted.
  init() {
    host.setText("draft", "Call Ann.\npassword: hunter2\nBuy milk.\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft")
    host.copy("a", "old")
    host.setText("draft", "Call Ann.\nBuy milk.\n")
    host.pnmerge("edit", "a", "--body-file", "draft")
  }

  private func holds(_ name: String, _ text: String) -> Bool {
    String(decoding: host[name] ?? [], as: UTF8.self).contains(text)
  }

  @Test("deleted text is gone from the file, and no old copy brings it back")
  func all() throws {
    #expect(holds("a", "hunter2"))
    let run = host.pnmerge("redact", "a")
    #expect(run.status == .done)
    #expect(
      run.output == """
        a: removed 18 characters of deleted text
          1 state kept for undo is left as before; --clear-undo removes them

        """)
    #expect(!holds("a", "hunter2"))
    #expect(try host.note("a")?.body == "Call Ann.\nBuy milk.\n")
    let redacted = host["a"]
    #expect(host.pnmerge("merge", "a", "old").status == .done)
    #expect(host["a"] == redacted)
    #expect(host.pnmerge("merge", "old", "a").status == .done)
    #expect(host["old"] == redacted)
    #expect(host.pnmerge("validate", "a").output == "a: sound\n")
    #expect(host.pnmerge("redact", "a").output.hasPrefix("a: holds no deleted text\n"))
  }

  @Test("a merge says what a copy has redacted, how much of it and whose it was")
  func redactionOfACopy() throws {
    host.copy("a", "unknowing")
    host.pnmerge("redact", "a", "--matching", "hunter2")
    host.copy("a", "redacted")
    let line =
      "  redacted has redacted 7 characters deleted from /body by me; they are gone here, too\n"
    let trial = host.pnmerge("merge", "-n", "--strict", "unknowing", "redacted")
    #expect(trial.output.contains(line), "\(trial.output)")
    #expect(trial.status == .different)
    let json = host.pnmerge("merge", "-n", "--json", "unknowing", "redacted")
    #expect(
      json.output.contains(
        #""redactions":[{"path":"/body","characters":7,"deleted_by":["me"]}]"#), "\(json.output)")
    #expect(json.status == .done)
    // Nothing is said of a copy that still has what is redacted here, or has it redacted as well.
    let back = host.pnmerge("merge", "--strict", "redacted", "unknowing")
    #expect(back.status == .done && !back.output.contains("has redacted"))
    #expect(host.pnmerge("merge", "--strict", "unknowing", "redacted").status == .different)
    let again = host.pnmerge("merge", "--strict", "unknowing", "redacted")
    #expect(again.status == .done && !again.output.contains("has redacted"))
    // Of several copies that one is named which brought it.
    host.pnmerge("undo", "unknowing")
    host.copy("a", "third")
    let several = host.pnmerge("merge", "-n", "unknowing", "old", "third", "redacted")
    #expect(several.output.contains("  third has redacted 7 characters"))
    #expect(!several.output.contains("  redacted has redacted"))
  }

  @Test("what is redacted in a past version is left out and said, never written as U+FFFD")
  func redactedPast() throws {
    let first = "first\u{FFFD}"
    host.setText("draft", "Call Ann.\npassword: hunter2\n\(first)\n")
    host.pnmerge("new", "n", "--title", "T", "--body-file", "draft", "--agent", "a1")
    host.setText("draft", "Call Ann.\n")
    host.pnmerge("edit", "n", "--body-file", "draft")
    host.pnmerge("redact", "n", "--matching", "hunter2")
    let said = "n: /body: 7 characters of that version were redacted and cannot come back\n"
    let past = "Call Ann.\npassword: \n\(first)\n"
    let version = "00000000000000a1"
    let printed = host.pnmerge("cat", "--body", "--at", version, "n")
    #expect(printed.output == past && printed.errors == said, "\(printed)")
    let got = host.pnmerge("cat", "--raw", "n", "/body", "--at", version)
    #expect(got.output == past && got.errors == said)
    #expect(host.pnmerge("cat", "n", "/title", "--at", version).errors == "")
    let exported = host.pnmerge("export", "n", "--at", version)
    #expect(!exported.output.contains("password: \u{FFFD}") && exported.errors == said)
    host.copy("n", "m")
    let restored = host.pnmerge("restore", "n", "--at", version)
    #expect(restored.output.hasPrefix("n: changed /body") && restored.errors == said, "\(restored)")
    #expect(try host.note("n")?.body == past)
    #expect(host.pnmerge("restore", "n", "--at", version).output == "n: unchanged\n")
    #expect(host.pnmerge("validate", "n").status == .done)
    // A part that misses nothing comes back without a word.
    #expect(host.pnmerge("restore", "m", "/title", "--at", version).errors == "")
  }

  @Test("a passage that a side of an earlier merge had is not taken with what is redacted in it")
  func redactedSide() throws {
    var base = try Document(bytes: try #require(host["old"]))
    var other = base
    func session(_ agent: UInt64) -> DocumentSession {
      DocumentSession.person(agent, "ann", at: 9)
    }
    let body = JSONPointer(["body"])
    try base.change(by: session(51)) {
      try $0.replaceText(at: body, with: "Call Ann.\npassword: hunter2 or so\nBuy milk.\n")
    }
    try other.change(by: session(52)) {
      try $0.replaceText(at: body, with: "Call Ann.\npassword: swordfish\nBuy milk.\n")
    }
    let versions = [base.heads, other.heads]
    _ = try base.merge(other)
    let before = try base.adjoiningLines(ofMerging: versions)
    func sides(_ overlaps: [Conflict]) -> [String] {
      overlaps.flatMap(\.others).compactMap { side in
        if case .text(let text)? = side.node { text } else { nil }
      }
    }
    try #require(sides(before).contains { $0.contains("hunter2") }, "\(before)")
    try base.redactDeletedText()
    let after = sides(try base.adjoiningLines(ofMerging: versions))
    #expect(after.count == sides(before).count)
    for text in after {
      #expect(!text.contains("hunter2"))
      #expect(!text.unicodeScalars.contains { $0 == "\u{FFFD}" || $0.value > 0xFFFF }, "\(text)")
    }
  }

  @Test("a pattern takes out what it matches only")
  func pattern() {
    let run = host.pnmerge("redact", "--matching", "hunter?", "a")
    #expect(run.output.hasPrefix("a: removed 7 characters of deleted text that matches\n"))
    #expect(!holds("a", "hunter2") && holds("a", "password: "))
    #expect(host.pnmerge("inspect", "a").output.contains("7 characters removed"))
    #expect(host.pnmerge("inspect", "a").output.contains(" 11 characters still held\n"))
    let json = host.pnmerge("inspect", "--json", "a").output
    #expect(json.contains(#""deleted_characters":11,"redacted_characters":7,"#))
  }

  @Test("places that a redaction does not reach are named")
  func elsewhere() {
    host.pnmerge("edit", "a", "--title", "milk money")
    host.pnmerge("edit", "a", "--title", "T")
    let run = host.pnmerge("redact", "--matching", "milk", "a")
    #expect(
      run.output.hasPrefix(
        """
        a: holds no deleted text that matches
          still shown at /body; delete it there first, then redact again
          still held in the history, where it cannot be taken out: 1 replaced or removed value; \
        only a new document is without it

        """))
    let json = host.pnmerge("redact", "--json", "--matching", "milk", "a").output
    #expect(json.contains(#""removed_characters":0,"kept_characters":18,"undo_states":3,"#))
    #expect(
      json.contains(
        #""elsewhere":{"shown":["/body"],"replaced_values":1,"removed_texts":0,"contested_passages":0,"names":0}"#
      ))
  }

  @Test("old states are removed when that is asked for")
  func clearUndo() {
    let run = host.pnmerge("redact", "--clear-undo", "a")
    #expect(run.output.hasSuffix("  removed 1 state kept for undo\n"))
    #expect(host.pnmerge("undo", "a").status == .unreadable)
    let held = host.entries.values.contains { entry in
      String(decoding: entry.bytes, as: UTF8.self).contains("hunter2") && entry.kind == .regular
        && !entry.bytes.elementsEqual(host["old"] ?? [])
    }
    #expect(!held)
  }

  @Test("no old bytes are kept of what is redacted")
  func noBackup() {
    let before = host.entries.count
    host.pnmerge("redact", "a")
    #expect(host.entries.count == before)
  }

  @Test("a dry run says the same and writes nothing")
  func dryRun() {
    let before = host["a"]
    let run = host.pnmerge("redact", "-n", "--clear-undo", "a")
    #expect(run.output.hasPrefix("a: would remove 18 characters of deleted text\n"))
    #expect(host["a"] == before)
    #expect(host.pnmerge("undo", "a").status == .done)
  }

  @Test("a redaction works on streams")
  func streams() throws {
    host.input = host["a"] ?? []
    let run = host.pnmerge("redact", "-")
    #expect(run.status == .done)
    #expect(run.errors.hasPrefix("standard input: removed 18 characters"))
    #expect(!run.output.contains("hunter2"))
    _ = try Document(bytes: host.output)
  }

  @Test("a dry run on a stream says the same and writes nothing")
  func dryStream() {
    host.input = host["a"] ?? []
    let run = host.pnmerge("redact", "-n", "-")
    #expect(run.status == .done && run.output == "")
    #expect(run.errors.hasPrefix("standard input: would remove 18 characters of deleted text\n"))
    host.terminals = [.output]
    #expect(host.pnmerge("redact", "-n", "-").status == .usage)
  }

  @Test("JSON tells whether the file was written, and how many states are kept for undo")
  func json() throws {
    func written(_ arguments: [String]) -> [String] {
      let run = host.pnmerge((["redact", "--json"] + arguments).map { Array($0.utf8) })
      return ["written", "removed_characters", "kept_characters", "undo_states"].map { name in
        let rest = (run.output + run.errors).split(separator: "\"\(name)\":").last ?? ""
        return String(rest.prefix { $0 != "," && $0 != "}" })
      }
    }
    #expect(written(["-n", "a"]) == ["false", "18", "0", "1"])
    #expect(written(["-n", "--clear-undo", "a"]) == ["false", "18", "0", "1"])
    #expect(written(["--matching", "hunter2", "a"]) == ["true", "7", "11", "1"])
    #expect(written(["--matching", "hunter2", "a"]) == ["false", "0", "11", "1"])
    #expect(written(["--clear-undo", "a"]) == ["true", "11", "0", "0"])
    #expect(written(["--clear-undo", "a"]) == ["false", "0", "0", "0"])
    host.copy("old", "a")
    host.pnmerge("edit", "a", "--body-file", "draft")
    host.input = host["a"] ?? []
    #expect(written(["-n", "-"]) == ["false", "18", "0", "1"])
    #expect(written(["-"]) == ["true", "18", "0", "1"])
  }

  @Test("removed texts, names and messages that hold a pattern are named")
  func otherPlaces() {
    let message = "no milk today"
    host.pnmerge("edit", "a", "--tag", "x", "--author", "Milky milk")
    host.pnmerge("set", "a", "/milk bottles", "1", "--message", message)
    host.pnmerge("remove", "a", "/body", "--message", message, "--force")
    let run = host.pnmerge("redact", "--matching", "milk", "a")
    #expect(
      run.output.hasPrefix(
        """
        a: holds no deleted text that matches
          still held in the history, where it cannot be taken out: 1 removed text and 3 names or \
        messages; only a new document is without it

        """), "\(run.output)")
    let json = host.pnmerge("redact", "--json", "--matching", "milk", "a").output
    #expect(
      json.contains(
        #""elsewhere":{"shown":[],"replaced_values":0,"removed_texts":1,"contested_passages":0,"names":3}"#
      ))
  }

  @Test("of many places where a pattern is shown the first are named, and the others counted")
  func manyPlaces() {
    for number in 1...6 { host.pnmerge("set", "a", "/k\(number)", "--string", "oat milk") }
    let run = host.pnmerge("redact", "--matching", "oat milk", "a")
    #expect(run.output.contains("still shown at /k1, /k2, /k3, /k4, /k5 and 1 more; "))
  }

  @Test("a pattern that matches anything is refused", arguments: ["", "*", "???"])
  func emptyPattern(pattern: String) {
    #expect(host.pnmerge("redact", "--matching", pattern, "a").status == .usage)
  }

  @Test("a merge that brings a redaction says so")
  func mergedRedaction() {
    host.copy("a", "b")
    host.pnmerge("redact", "b")
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.output.hasPrefix("a: took over what was redacted in b; no new changes\n"))
    #expect(!holds("a", "hunter2"))
  }

  @Test("a merge says where words stand that the other copy redacted, with a status if strict")
  func writtenAnew() {
    host.pnmerge("redact", "a")
    host.setText("draft", "Call Ann.\nBuy milk.\nagain, hunter2\n")
    host.pnmerge("edit", "old", "--body-file", "draft", "--author", "ben")
    let sentence =
      "  words that one copy redacted stand in /body, first on line 3: somebody wrote them anew; "
      + "delete them there and redact again\n"
    let run = host.pnmerge("merge", "a", "old", "-n", "--strict")
    #expect(run.status == .different)
    #expect(run.output.contains(sentence), "\(run.output)")
    let report = host.pnmerge("merge", "a", "old", "--json").output
    #expect(report.contains(#""redacted_left""#), "\(report)")
    #expect(!host.pnmerge("merge", "a", "old").output.contains("redacted"))
  }
}
