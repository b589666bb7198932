import Peernote
import PnmergeCommands
import Testing

/// Standard output that nobody reads any more, as after head(1).
@Suite("A closed pipe")
struct ClosedPipeTests {
  /// Two large copies of a note, a damaged one, other documents, and inputs.
  private static let files: [FileName: [UInt8]] = {
    let host = MemoryHost()
    func large(_ line: String) -> String { String(repeating: line + "\n", count: 3500) }
    host.setText("draft", large("some words of a note"))
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft", "--agent", "a0")
    let message = String(repeating: "much ado ", count: 400)
    for number in 1...20 {
      host.pnmerge("set", "a", "/n", "\(number)", "-m", message, "--agent", "a\(number)")
    }
    host.copy("a", "b")
    host.pnmerge("set", "a", "/title", "\"U\"", "--agent", "c1")
    host.setText("draft", large("other words of a note"))
    host.pnmerge("edit", "b", "--title", "V", "--body-file", "draft", "--agent", "c2")
    host.setText("cut", "no document")
    host.setText("ancestor", "")
    for (name, text) in [("x", "one\n"), ("y", "two\n")] {
      host.setText("\(name).md", text)
      host.pnmerge("new", "\(name).peernote", "--title", name)
    }
    let sound = host["x.peernote"] ?? []
    host["damaged"] = sound.dropLast(30) + [UInt8](repeating: 0, count: 30)
    return host.entries.filter { $0.key.directory == host.workingDirectory }.mapValues(\.bytes)
  }()

  /// A machine with these files, where nothing can be kept for undo, of which a command warns
  /// between two of its files.
  private static func host() -> MemoryHost {
    let host = MemoryHost()
    for (name, bytes) in files.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) })
    {
      host[name.visible] = bytes
    }
    host.variables["XDG_STATE_HOME"] = "/none"
    host.useEditor { "---\ntitle: W\n---\n" + $0 }
    return host
  }

  /// What a command does that prints more than is collected at once, or says something between two
  /// steps of its work.
  private static let commands: [[String]] = [
    ["cat", "a"], ["cat", "--body", "a"], ["cat", "none"], ["log", "a"], ["log", "--json", "a"],
    ["export", "a"], ["export", "--format", "json", "a"], ["export", "a", "-o", "e.md"],
    ["diff", "a", "b"], ["diff", "a", "a"], ["diff", "--json", "a", "b"], ["blame", "a"],
    ["inspect", "a"], ["inspect", "--diag", "a"], ["cat", "a", "/body"], ["cat", "a", "/none"],
    ["status", "a", "b", "cut"], ["conflicts", "a"],
    ["validate", "a", "damaged", "b", "none", "a"], ["find", "t", "."],
    ["merge", "a", "b"], ["merge", "--strict", "a", "b"], ["merge", "a", "b", "-o", "-"],
    ["merge", "a", "b", "-o", "m"], ["edit", "a", "--title", "W"], ["edit", "a"],
    ["import", "x.md", "y.md"], ["repair", "-v", "damaged", "-o", "r"],
    ["repair", "-v", "damaged", "-o", "-"], ["redact", "b"],
    ["git", "mergetool", "ancestor", "a", "b", "m"], ["git", "textconv", "a"], ["--help"],
  ]

  @Test(
    "changes neither what a command does to files, nor its status, nor its messages",
    arguments: commands)
  func law(command: [String]) {
    let arguments = command.map { Array($0.utf8) }
    let (open, closed) = (Self.host(), Self.host())
    closed.isPipeClosed = true
    let expected = open.pnmerge(arguments)
    let run = closed.pnmerge(arguments)
    #expect(run.status == expected.status && run.errors == expected.errors, "\(run)")
    #expect(run.output.isEmpty)
    #expect(Set(closed.entries.keys) == Set(open.entries.keys))
    for (name, entry) in open.entries {
      #expect(closed.entries[name]?.bytes == entry.bytes, "\(name.visible)")
    }
  }

  @Test("costs nothing that an editor or a merge was asked for, in the built program")
  func builtProgram() throws {
    let run = try Program().sh(
      """
      yes 'some words of a note' | head -n 5000 > draft
      pnmerge new a -q --title T --body-file draft; cp a b
      yes 'other words' | head -n 5000 | pnmerge edit b -q --body-file - 
      # A pipe that is open for writing, and that nobody reads.
      mkfifo pipe; exec 4<>pipe 3>pipe 4<&-
      for command in 'cat a' 'log a' 'export a' 'diff a b' 'validate a none' 'merge -q a b -o -'; do
        pnmerge $command >&3; echo "$command: $?"
      done
      mkdir drafts; export TMPDIR=$PWD/drafts EDITOR="sed -i 's/title: T/title: U/'"
      pnmerge edit a >&3; echo "edit: $?"; ls drafts; pnmerge cat a /title
      pnmerge merge a b >&3; echo "merge: $?"; pnmerge status a b
      """)
    #expect(run.errors == "pnmerge: none: cannot read: no such file or directory\n")
    #expect(
      run.output == """
        cat a: 0
        log a: 0
        export a: 0
        diff a b: 1
        validate a none: 66
        merge -q a b -o -: 0
        edit: 0
        "U"
        merge: 0
        b: behind a by 1 change

        """)
  }
}
