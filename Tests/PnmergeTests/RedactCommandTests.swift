import Peernote
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
        #""elsewhere":{"shown":["/body"],"replaced_values":1,"removed_texts":0,"names":0}"#))
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
    host.pnmerge("remove", "a", "/body", "--message", message)
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
      json.contains(#""elsewhere":{"shown":[],"replaced_values":0,"removed_texts":1,"names":3}"#))
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
}
