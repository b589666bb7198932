import Peernote
import PnmergeCommands
import Testing

@Suite("The program's front door")
struct ProgramEntryTests {
  private let host = MemoryHost()

  @Test(
    "wrong arguments are one line and status 64",
    arguments: [
      [], ["--odd"], ["nothing"], ["merge"], ["merge", "a"], ["merge", "a", "b", "--odd"], ["new"],
      ["new", "a", "--priority", "urgent"], ["cat"], ["cat", "a", "b"],
      ["cat", "a", "--format", "x"],
      ["cat", "--body", "--format", "text", "a"], ["status"], ["diff", "a"], ["log"],
      ["log", "a", "--max-count", "x"], ["log", "a", "--max-count=-1"], ["inspect"], ["validate"],
      ["undo"], ["undo", "-"], ["edit"], ["edit", "-"], ["merge", "-q", "-v", "a", "b"],
      ["merge", "-", "-"],
      ["edit", "a", "--body-file", "b", "--markdown-file", "c"], ["help", "merge", "x", "--odd"],
      ["help", "odd"],
    ])
  func usage(arguments: [String]) {
    let run = host.pnmerge(arguments)
    #expect(run.status == .usage)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("pnmerge: ") && run.errors.hasSuffix("\n"))
    #expect(run.errors.count { $0 == "\n" } == 1)
    #expect(host.names.isEmpty)
  }

  @Test("however many files are named, each is taken, in their order")
  func manyFiles() {
    host.pnmerge("new", "0")
    let names = (0..<200).map(String.init)
    for name in names.dropFirst() { host.copy("0", name) }
    func run(_ arguments: [String]) -> (status: ExitStatus, output: String, errors: String) {
      let run = host.pnmerge(arguments)
      return (run.status, run.output, run.errors)
    }
    let sound = names.map { "\($0): sound\n" }.joined()
    #expect(run(["validate"] + names).output == sound)
    let apart = ["validate"] + names.prefix(90) + ["--quick"] + names.dropFirst(90)
    #expect(run(apart).output == sound)
    #expect(run(["-v", "validate", "--"] + names).output == sound)
    #expect(run(names).output.hasPrefix("0: same as 199 copies"))
    #expect(run(["merge", "-o", "all"] + names).status == .done)
    #expect(host["all"] == host["0"])
    #expect(run(["validate", ""] + names).status == .usage)
    #expect(run(["validate", "--none"] + names).errors.contains("'--none'"))
    #expect(run(["cat"] + names).status == .usage)
    // What is given to the parser, which takes time that grows with the square of it.
    #expect(ArgumentText.joiningNames((0..<20_000).map(String.init)).count == 2)
    let few = ["-q", "a", "b", "--", "c", "-"]
    #expect(ArgumentText.joiningNames(few) == few)
  }

  @Test("the version is told")
  func version() {
    #expect(host.pnmerge("--version").output.hasPrefix("pnmerge "))
  }

  @Test("an option's text must be UTF-8, a file's name need not")
  func bytes() {
    let name: [UInt8] = [0x61, 0xFF]
    #expect(host.pnmerge([Array("new".utf8), name]).status == .done)
    #expect(host.names == ["a\\xff"])
    for option in ["--title", "--author"] {
      let run = host.pnmerge([Array("new".utf8), [0x62], Array(option.utf8), [0xFF]])
      #expect(run.status == .usage)
      #expect(run.errors.contains("\\xff"))
      #expect(run.errors.contains(": it is not UTF-8; see"), "\(run.errors)")
    }
    let names = [Array("merge".utf8), name, name]
    #expect(host.pnmerge(names).output == "a\\xff: same as a\\xff\n")
  }

  @Test(
    "the sources of an unreadable document have their status",
    arguments: [
      "cat", "log", "inspect", "validate", "edit", "undo",
    ])
  func unreadable(command: String) {
    host["empty"] = []
    host.setText("text", "Dear diary")
    host["secret"] = [1]
    host.entries[FileName("/work/secret")]?.mode = 0
    for (file, status) in [
      ("none", ExitStatus.unreadable), ("/tmp", .unreadable), ("secret", .unreadable),
      ("empty", .damaged), ("text", .damaged),
    ] {
      let extra = command == "edit" ? ["--title", "T"] : []
      let run = host.pnmerge([command, file] + extra)
      #expect(run.status == status, "\(file): \(run.errors)")
      // What is wrong with a document is what validate was asked for, so its result.
      let isResult = command == "validate" && status == .damaged
      let said = isResult ? "pnmerge: " + run.output : run.errors
      #expect(said.hasPrefix("pnmerge: \(file): "), "\(said)")
      #expect(said.count { $0 == "\n" } == 1)
      #expect(!isResult || run.errors == "", "a fault is said once")
    }
    #expect(host["text"] == Array("Dear diary".utf8))
  }
}
