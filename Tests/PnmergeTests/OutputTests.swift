import Foundation
import Peernote
import PeernoteFiles
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// What the program prints, whole, in the files of `Fixtures/outputs`.
///
/// A line that begins with `##` says what it is about, one with `$` is a command; `2>/dev/null` at its
/// end leaves out what it prints on standard error. Then come what a file gets, each line with `|`, and
/// what is answered at a terminal, with `<`, where `^C` interrupts. After that stands what the command
/// prints, on standard error with `!` in front, and `?` with the status unless that is 0.
/// `PEERNOTE_OUTPUTS=write` writes the files anew.
///
/// Other commands are those of a shell, in little; besides, `write FILE` takes the lines with `|`,
/// `fixture` one of `Fixtures`, `replace FILE OLD NEW` changes bytes, `truncate FILE COUNT` keeps that
/// many or drops them at the end,
/// `editor OLD NEW` is what the editor does, `find` lists the files of a folder, and `calls` what the
/// last run asked of the machine.
@Suite struct OutputTests {
  private static let directory = Repository.path("Fixtures/outputs")

  private static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
    .filter { $0.hasSuffix(".txt") }.sorted()

  @Test("the program prints what is on file", arguments: names)
  func output(name: String) throws {
    let file = Self.directory.appending(path: name)
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    var session = TerminalSession()
    let printed = try session.transcript(of: expected)
    if ProcessInfo.processInfo.environment["PEERNOTE_OUTPUTS"] == "write" {
      try Data(printed.utf8).write(to: file)
    }
    let difference = unifiedDifference(
      from: expected, to: printed, oldName: name, newName: "now")
    #expect(difference.isEmpty, "\(difference)")
  }

  @Test("there are files of outputs")
  func files() { #expect(Self.names.count > 9) }
}

/// Commands that are typed one after the other.
private struct TerminalSession {
  private let host = MemoryHost()
  /// What the last run of the program asked of the machine.
  private var calls: ArraySlice<MemoryHost.Call> = []

  /// The commands of a file, each with what it prints now.
  mutating func transcript(of text: String) throws -> String {
    host.keepsTime = true
    var result = ""
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      if line.hasPrefix("## ") { result += line + "\n" }
      guard line.hasPrefix("$ ") else { continue }
      result += line + "\n"
      var input = ""
      while let next = lines.first, next.hasPrefix("| ") || next == "|" {
        input += next.dropFirst(2) + "\n"
        result += next + "\n"
        lines.removeFirst()
      }
      while let next = lines.first, next.hasPrefix("< ") {
        host.terminals = [.input, .error]
        host.answers.append(next == "< ^C" ? "\u{3}" : String(next.dropFirst(2)))
        result += next + "\n"
        lines.removeFirst()
      }
      result += try run(words(of: line.dropFirst(2)), input)
      host.terminals = []
      host.answers = []
    }
    return result
  }

  /// Parts a command line as a shell does, but for what stands for anything else.
  private func words(of line: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        words += [word].compactMap(\.self)
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }

  /// Runs a command, and tells what it prints.
  private mutating func run(_ words: [String], _ input: String) throws -> String {
    host.now = Timestamp(milliseconds: host.now.milliseconds + 60_000)
    switch words.first {
    case "as": host.variables["PNMERGE_AUTHOR"] = words[1]
    case "export":
      let parts = words[1].split(separator: "=", maxSplits: 1)
      host.variables[String(parts[0])] = parts.count > 1 ? String(parts[1]) : nil
    case "editor": host.useEditor { $0.replacing(words[1], with: words[2]) }
    case "sleep": host.pass(seconds: Int64(words[1]) ?? 0)
    case "write": host.setText(words[1], input)
    case "calls": return calls.map(\.rawValue).joined(separator: " ") + "\n"
    case "pnmerge": return pnmerge(words.dropFirst())
    default: return try handle(words)
    }
    return ""
  }

  /// Runs the program; `2>/dev/null`, `< FILE` and `> FILE` may stand at the end.
  private mutating func pnmerge(_ words: ArraySlice<String>) -> String {
    var words = words
    let isMuted = words.last == "2>/dev/null"
    if isMuted { words.removeLast() }
    var target: String?
    host.input = []
    while words.count > 2, ["<", ">"].contains(words[words.endIndex - 2]) {
      let file = words.removeLast()
      if words.removeLast() == "<" { host.input = host[file] ?? [] } else { target = file }
    }
    let start = host.calls.count
    let run = host.pnmerge(Array(words))
    calls = host.calls[start...]
    if let target { host[target] = host.output }
    let output = target == nil ? visible(host.output) : ""
    let errors = isMuted ? [] : run.errors.split(separator: "\n").map { "! \($0)\n" }
    let end = output.isEmpty || output.hasSuffix("\n") ? "" : "\n"
    return output + end + errors.joined()
      + (run.status == .done ? "" : "? \(run.status.rawValue)\n")
  }

  /// Does something with files, and tells what it prints.
  private func handle(_ words: [String]) throws -> String {
    func entry(_ name: String) throws -> MemoryHost.Entry {
      try #require(host.entries[FileName("/work/\(name)")], "\(name)")
    }
    switch words[0] {
    case "cp" where words[1] == "-p":
      // As a synchroniser does, which keeps the time of the save.
      host.copy(words[2], words[3])
      let copy = try entry(words[3])
      (copy.changed, copy.modified) = (copy.modified, try entry(words[2]).modified)
    case "cp": host.copy(words[1], words[2])
    case "mv": try host.rename(FileName(words[1]), to: FileName(words[2]), replacing: false)
    case "ln": host.link(words[3], to: words[2])
    case "mkdir": try host.makeDirectory(FileName(words[1]))
    case "rm": host[words[1]] = nil
    case "replace":
      let before = try entry(words[1]).bytes
      let after = before.replacing(bytes(of: words[2]), with: bytes(of: words[3]))
      host[words[1]] = after
      return before == after ? "nothing was replaced\n" : ""
    case "fixture":
      host[words[2]] = Array(try Data(contentsOf: Repository.path("Fixtures/\(words[1])")))
    case "truncate":
      let (bytes, count) = (try entry(words[1]).bytes, Int(words[2]) ?? 0)
      host[words[1]] = Array(bytes.prefix(count < 0 ? bytes.count + count : count))
    case "chmod": try entry(words[2]).mode = UInt32(words[1], radix: 8) ?? 0
    case "stat":
      return try words.dropFirst().map { name in
        "\(String(try entry(name).mode, radix: 8)) \(name)\n"
      }.joined()
    case "cat":
      let text = try visible(entry(words[1]).bytes)
      return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n\\ no line feed\n"
    case "cmp":
      let isSame = try entry(words[1]).bytes == entry(words[2]).bytes
      return isSame ? "" : "\(words[1]) and \(words[2]) differ\n"
    case "grep":
      let place = try entry(words[2]).bytes.firstRange(of: Array(words[1].utf8))
      return place == nil ? "" : "\(words[2]): matches\n"
    case "find":
      let names = host.tree(of: words[1]).keys.filter { !$0.hasSuffix(".peernote/folder") }
      return names.sorted().map { "\(words[1])/\($0)\n" }.joined()
    default: throw Failure(.usage, "\(words) is no command of these files")
    }
    return ""
  }

  /// Text in which carriage returns can be seen.
  private func visible(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { $0 == 0x0D ? Array("\\r".utf8) : [$0] }, as: UTF8.self)
  }

  /// The bytes of a word, in which `\n`, `\r` and `\xHH` stand for single ones.
  private func bytes(of word: String) -> [UInt8] {
    let parts = word.split(separator: "\\", omittingEmptySubsequences: false)
    return Array(parts[0].utf8)
      + parts.dropFirst().flatMap { part -> [UInt8] in
        switch part.first {
        case "n": [0x0A] + part.dropFirst().utf8
        case "r": [0x0D] + part.dropFirst().utf8
        case "x": [UInt8(part.dropFirst().prefix(2), radix: 16) ?? 0] + part.dropFirst(3).utf8
        default: Array("\\\(part)".utf8)
        }
      }
  }
}
