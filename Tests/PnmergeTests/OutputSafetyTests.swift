import Peernote
import PeernoteJSON
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// Documents and file names from strangers: what they say never acts on a terminal, becomes a
/// file's name or runs as a program.
@Suite("Output safety")
struct OutputSafetyTests {
  /// Everything that a terminal may take for a command, or that misleads a reader: C0, DEL, C1,
  /// line separators, reordering and invisible characters.
  private static let hazards =
    "\u{1B}[31m\u{1B}]0;EVIL\u{7}\u{8}\u{D}\u{0}\u{7F}\u{9B}2J\u{85}\u{2028}\u{2029}\u{202E}\u{2066}"
    + "\u{200F}\u{61C}\u{FEFF}\u{FFF9}\u{E0041}"
  private static let evil = "../EVIL\(hazards)$(EVIL)`EVIL`;EVIL\n/tmp/EVIL"

  private let host = MemoryHost()

  init() throws {
    host.terminals = [.output, .error]
    host.variables["PNMERGE_AUTHOR"] = Self.evil
    let base = try Self.note()
    host["a"] = base.bytes()
    host["b"] = try Self.changed(base, agent: 2, "EVIL one \(Self.hazards)").bytes()
    host["c"] = try Self.changed(base, agent: 3, "EVIL two \(Self.hazards)").bytes()
    host["other"] = try Self.other().bytes()
    host["cut"] = Array(base.bytes().dropLast(40))
    host["text"] = Array(Self.evil.utf8)
    var both = try Self.changed(base, agent: 2, "EVIL one \(Self.hazards)")
    _ = try both.merge(Self.changed(base, agent: 3, "EVIL two \(Self.hazards)"))
    host["both"] = both.bytes()
    for (number, matter) in Self.frontMatters.enumerated() {
      host.setText("matter\(number)", "---\n\(matter)\n---\n")
    }
    for (number, schema) in Self.schemas.enumerated() { host.setText("schema\(number)", schema) }
    host[Self.evilName] = base.bytes()
  }

  /// A slash would make it another directory's.
  private static let evilName = "EVIL\(hazards)\n.peernote"

  private static func session(_ agent: UInt64) -> DocumentSession {
    DocumentSession.person(agent, evil, at: 1_795_183_000_000 + Int64(agent))
  }

  private static func note() throws -> Document {
    var document = Document(id: UniqueID(high: 0x4000, low: 0x8000 << 48))
    try document.change(by: session(1), message: evil) { editor in
      try editor.create(Note(title: evil, body: "one two three \(evil)", tags: [evil]))
      try editor.put(.string(evil), at: JSONPointer([evil]))
    }
    return document
  }

  private static func changed(
    _ document: Document, agent: UInt64, _ text: String
  ) throws -> Document {
    var document = document
    try document.change(by: session(agent), message: evil) { editor in
      try editor.put(.string(text), at: JSONPointer(["title"]))
      try editor.put(.string(text), at: JSONPointer([evil]))
      try editor.replaceText(at: JSONPointer(["body"]), with: "one \(text) three \(evil)")
      try editor.add(.string(text), toSetAt: JSONPointer(["tags"]))
    }
    return document
  }

  /// No note.
  private static func other() throws -> Document {
    var document = Document(id: UniqueID(high: 0x4001, low: 0x8000 << 48))
    try document.change(by: session(4), message: evil) { editor in
      try editor.putContainer(.map, at: JSONPointer([evil]))
      try editor.put(.bytes(Array(evil.utf8)), at: JSONPointer([evil, "bytes"]))
      try editor.putContainer(.list, at: JSONPointer(["list"]))
      try editor.insert(node: .value(.string(evil)), at: JSONPointer(["list", "0"]))
      try editor.putContainer(.set, at: JSONPointer(["set"]))
      try editor.add(.string(evil), toSetAt: JSONPointer(["set"]))
    }
    return document
  }

  /// Front matter that cannot be understood, for a reason that has to be named.
  private static let frontMatters = [
    #"{"EVIL\e": 1, "EVIL\e": 2}"#, #""EVIL\e": !!binary "\e""#, #""EVIL\e": !uuid "\e""#,
    "EVIL\u{1B}: 1", "a: *EVIL", "? [EVIL]\n: 1",
    "\"EVIL\\e\": 1\n\"EVIL\\e\": 2",
  ]

  /// Schemas that documents break, and schemas that are none.
  private static let schemas = [
    #"{"required":["EVIL\u001b"],"properties":{"title":{"pattern":"EVIL\u001b"}}}"#,
    #"{"additionalProperties":false}"#, #"{"properties":{"title":{"const":"EVIL\u001b"}}}"#,
    #"{"propertyNames":{"enum":["EVIL\u001b"]}}"#, ##"{"$ref":"\u001b#/EVIL"}"##,
    ##"{"$ref":"#/EVIL\u001b"}"##, #"{"type":"EVIL\u001b"}"#, #"{"EVIL\u001b":1,"EVIL\u001b":2}"#,
    #"{"properties":{"title":{"pattern":"EVIL\u001b("}}}"#, #"{"unevaluatedItems":"EVIL\u001b"}"#,
  ]

  /// The names of all commands, as the program lists them.
  private func commands() -> [[String]] {
    func names(_ arguments: String...) -> [String] {
      host.pnmerge(arguments + ["--help"]).output
        .split(separator: "\n").drop { !$0.hasSuffix("SUBCOMMANDS:") }
        .compactMap { line in
          let words = line.split(separator: " ")
          return line.hasPrefix("  ") && !line.hasPrefix("   ") && words.count > 1
            ? String(words[0]) : nil
        }
        .filter { $0 != "See" }
    }
    return names().flatMap { name in
      let inner = names(name)
      return inner.isEmpty ? [[name]] : inner.map { [name, $0] }
    }
  }

  /// Ways to call any command, whether it understands them or not.
  private static let calls: [[String]] = [
    ["a"], ["a", "b"], ["--json", "a"], ["--json", "a", "b"], ["other"], ["cut"], [evilName],
    ["a", evil], ["missing\(hazards)"], ["--\(evil)"],
  ]

  /// Ways to call some commands.
  private static let furtherCalls: [String: [[String]]] = {
    let path = JSONPointer([evil]).description
    return [
      "cat": [
        ["--format", "json", "a"], ["--format", "text", "a"], ["a", "--at", evil], ["other", path],
        ["a", path], ["other", "/list/0"], ["-r", "a", "/body"], ["-r", "a", path],
      ],
      "diff": [["--color", "always", "a", "b"], ["other", "a"]],
      "conflicts": [["both"], ["--json", "both"]],
      "edit": [["a", "--title", evil, "--author", evil], ["a", "--priority", evil]]
        + frontMatters.indices.map { ["a", "--markdown-file", "matter\($0)"] },
      "export": [["--format", "text", "a"], ["other"], ["a", "-o", evil]],
      "find": [["EVIL", "a", "b"], [evil, "a"]],
      "inspect": [["--diag", "a"], ["--diag", "other"], ["--changes", "a"]],
      "log": [["-v", "c"], ["--color", "always", "b"]],
      "merge": [
        ["-n", "b", "c"], ["--json", "b", "c"], ["--color", "always", "b", "c"], ["a", "other"],
        ["-o", evil, "a", "b"],
      ],
      "redact": [["a", "--matching", "EVIL"], ["--json", "a", "--matching", "EVIL"]],
      "remove": [["a", "/tags", evil], ["other", path]],
      "repair": [
        ["cut", "-o", "x"], ["cut", "a", "-o", "x"], ["other", "a", "-o", "x"],
        ["--content", "cut", "-o", "x"], ["--json", "cut", "b", "-o", "x"], ["cut", "-o", evil],
      ],
      "resolve": [
        ["both", "/title", "--take", evil], ["both", path, "--value", "null"],
        ["a", path, "--take", "k"],
      ],
      "set": [
        ["a", path, evil], ["other", "\(path)/bytes", "1"], ["a", "/n", evil, "--type", "integer"],
        ["a", "/n", #"{"EVIL\u001b":1,"EVIL\u001b":2}"#], ["a", "/n", "[1,\u{1B}]"],
      ],
      "status": [["a", "b", "c", "other", "cut"], ["-v", "a", "b"]],
      "validate": [["-v", "a", "cut", "text", evilName]]
        + schemas.indices.map { ["--schema", "schema\($0)", "a"] },
    ]
  }()

  @Test("whatever a document or a name holds, every command shows it escaped")
  func everyCommand() throws {
    let commands = commands()
    #expect(commands.contains(["validate"]) && commands.contains(["git", "status"]))
    let entries = host.entries
    let contents = entries.mapValues(\.bytes)
    var shown = 0
    for command in commands {
      for call in Self.calls + (Self.furtherCalls[command[0]] ?? []) {
        let run = host.pnmerge(command + call)
        let place = "\(command) \(call.map { visibleText($0) })"
        check(run.output, isColored: call.contains("always"), place)
        check(run.errors, isColored: call.contains("always"), place)
        if call.contains("--json"), [.done, .different].contains(run.status) {
          let json = try? JSONReader.value(in: Array(run.output.utf8))
          #expect(json != nil, "\(place): \(run.output)")
        }
        if Array(run.output.utf8).firstRange(of: Array("EVIL".utf8)) != nil { shown += 1 }
        // What a command did must not change what the next one is shown.
        host.entries = entries
        for (file, bytes) in contents { host.entries[file]?.bytes = bytes }
      }
    }
    #expect(shown > 30, "the documents' texts were hardly shown")
  }

  @Test("what a question shows is escaped, too")
  func questions() {
    host.terminals.insert(.input)
    for (arguments, answers) in [
      (["merge", "-n", "-i", "b", "c"], ["?", "n", "n", "n"]),
      (["resolve", "-n", "-i", "both"], ["?", "n", "n", "n"]),
      (["review", "-n", "b", "c"], ["?", "s", "v"]),
    ] {
      host.answers = answers + ["q"]
      let run = host.pnmerge(arguments)
      check(run.output, isColored: false, "\(arguments)")
      check(run.errors, isColored: false, "\(arguments)")
      #expect(run.errors.contains("EVIL two"), "\(arguments): \(visibleText(run.errors))")
    }
  }

  @Test("what git shows for a document is escaped, and so for a file that is none")
  func textConversion() {
    host.setText("draft", "one\n\tEVIL \(Self.hazards)\ntwo\n")
    host.pnmerge("new", "note", "--title", Self.evil, "--body-file", "draft")
    for file in ["a", "both", "note"] {
      let run = host.pnmerge("git", "textconv", file)
      check(run.output, isColored: false, file)
      #expect(run.output.contains("EVIL"))
      #expect(file != "note" || run.output.hasSuffix("\ntwo\n") && run.output.contains("\n\tEVIL"))
    }
    host.setText(
      "pointer",
      "version https://git-lfs.github.com/spec/v1\noid sha256:EVIL\(Self.hazards)\nsize 12\n")
    for file in ["pointer", "cut", "text"] {
      let run = host.pnmerge("git", "textconv", file)
      check(run.output, isColored: false, file)
      #expect(run.output.hasPrefix(file == "pointer" ? "(in Git LFS: " : "(damaged"))
    }
  }

  private func check(_ text: String, isColored: Bool, _ place: String) {
    var rest = text
    if isColored {
      for style in ["0", "1", "31", "32", "33", "36"] {
        rest = rest.split(separator: "\u{1B}[\(style)m").joined()
      }
    }
    let found = rest.unicodeScalars.contains { scalar in
      switch scalar {
      case "\n", "\t", " "..."~": false
      default: isControl(scalar) || Self.hazards.unicodeScalars.contains(scalar)
      }
    }
    #expect(!found, "\(place): \(visibleText(text))")
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  @Test("no file's name and no program comes from a document")
  func names() {
    var programs: [[FileName]] = []
    host.program = { arguments in
      programs.append(arguments)
      return ProcessResult(status: 1)
    }
    host.variables["EDITOR"] = "ed"
    host.entries[FileName("/work/.git")] = host.entries[FileName("/tmp")]
    host.entries[FileName("/work/\(Self.evilName)")] = nil
    for command in commands() {
      for call in [["a"], ["a", "b"], ["b", "c"], ["other"], ["--json", "a", "b"]] {
        host.pnmerge(command + call)
      }
    }
    #expect(!host.entries.keys.contains { $0.visible.contains("EVIL") })
    #expect(programs.contains { $0.contains { $0.visible.hasPrefix("ed") } })
    #expect(!programs.joined().contains { $0.visible.contains("EVIL") })
  }

  @Test("kept states and drafts are made in private directories, for their owner only")
  func privacy() {
    var modes: [UInt32] = []
    host.witness = { [unowned host] call in
      guard call == .write || call == .rename else { return }
      modes += host.entries.values.filter(\.isInUse).map(\.mode)
    }
    host.useEditor { $0 + "more" }
    host.pnmerge("edit", "a")
    host.pnmerge("merge", "a", "b")
    host.pnmerge("undo", "a")
    #expect(modes.contains(0o600))
    let states = host.entries.filter { $0.key.visible.contains("/.local/state/peernote/") }
    #expect(states.count > 4)
    for (file, entry) in states { #expect(entry.mode & 0o077 == 0, "\(file.visible)") }
  }
  @Test("what is made of a private file is private", arguments: [0o600, 0o644] as [UInt32])
  func privateSources(mode: UInt32) throws {
    host.terminals = []
    host.setText("body.md", "---\ntitle: One\n---\nText\n")
    host.setText("data.json", "{\"one\": 1}\n")
    let commands = [
      ["new", "made", "--body-file", "body.md"], ["new", "made", "--json-file", "data.json"],
      ["import", "body.md", "-o", "made"], ["import", "data.json", "-o", "made"],
      ["export", "a", "-o", "made", "--format", "json"],
      ["export", "a", "-o", "made", "--format", "automerge"],
      ["import", "am", "-o", "made"], ["repair", "am", "-o", "made"],
      ["merge", "a", "b", "-o", "made"], ["repair", "a", "-o", "made"],
      ["repair", "--content", "a", "-o", "made"],
    ]
    #expect(host.pnmerge("export", "a", "-o", "am", "--format", "automerge").status == .done)
    for name in ["a", "b", "am", "body.md", "data.json"] {
      host.entries[FileName("/work/\(name)")]?.mode = mode
    }
    for command in commands {
      let run = host.pnmerge(command)
      #expect([.done, .different].contains(run.status), "\(command): \(run.errors)")
      #expect(host.entries[FileName("/work/made")]?.mode == mode, "\(command)")
      host["made"] = nil
    }
  }
}
