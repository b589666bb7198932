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
  private func run(_ words: [String], _ input: String) throws -> String {
    host.now = Timestamp(milliseconds: host.now.milliseconds + 60_000)
    switch words.first {
    case "as": host.variables["PNMERGE_AUTHOR"] = words[1]
    case "write": host.setText(words[1], input)
    case "cp": host.copy(words[1], words[2])
    case "mkdir": try host.makeDirectory(FileName(words[1]))
    case "rm": host[words[1]] = nil
    case "pnmerge":
      let isMuted = words.last == "2>/dev/null"
      let run = host.pnmerge(Array(words.dropFirst().dropLast(isMuted ? 1 : 0)))
      let errors = isMuted ? [] : run.errors.split(separator: "\n").map { "! \($0)\n" }
      let end = run.output.isEmpty || run.output.hasSuffix("\n") ? "" : "\n"
      return run.output + end + errors.joined()
        + (run.status == .done ? "" : "? \(run.status.rawValue)\n")
    default: throw Failure(.usage, "\(words) is no command of these files")
    }
    return ""
  }
}
