import Foundation
import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("The help of the commands, and the manual pages")
struct ManualTests {
  static let commands = documentCommandNames

  /// Those of git have two words.
  static let gitCommands = ["git install", "git uninstall", "git status", "git resolve"]

  private let page: CommandManual

  init() throws {
    page = CommandManual(try Self.text(of: "man/pnmerge.1"))
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOf: Repository.path(path), encoding: .utf8)
  }

  private func help(_ command: String, _ option: String = "--help") -> String {
    MemoryHost().pnmerge(command.split(separator: " ").map(String.init) + [option]).output
  }

  /// What the help lists: all names of each option.
  private func options(_ command: String) -> [[String]] {
    let help = help(command, "--help-hidden")
    let start = help.range(of: "\nOPTIONS:\n")?.upperBound ?? help.endIndex
    return help[start...].split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
      let names = line.split(separator: " ").prefix { $0.hasPrefix("-") }
        .map { $0.trimmingCharacters(in: [","]) }
      // `--marker/--no-marker` are two.
      return names.count == 1 ? names[0].split(separator: "/").map { [String($0)] } : [names]
    }
  }

  @Test(
    "the manual tells every option of a command, in its part or among those of many commands",
    arguments: commands + gitCommands)
  func options(of command: String) throws {
    let part = try #require(page.parts[command])
    for names in options(command) {
      #expect(
        names.contains {
          part.flags.contains($0) || page.general.contains($0)
            || page.shared[$0, default: []].contains(command)
        }, "\(names) of \(command)")
    }
  }

  @Test("a command has every option that the manual tells of it", arguments: commands + gitCommands)
  func noOthers(of command: String) throws {
    let has = Set(options(command).joined())
    let part = try #require(page.parts[command])
    #expect(part.entries.isSubset(of: has), "\(part.entries.subtracting(has))")
    let shared = page.shared.filter { $0.value.contains(command) }.map(\.key)
    #expect(has.isSuperset(of: shared), "\(Set(shared).subtracting(has))")
  }

  @Test("the manual has no part about a command that is not there")
  func noOtherParts() {
    let known = Set(Self.commands + Self.gitCommands)
    #expect(Set(page.parts.keys) == known)
    for names in page.shared.values { #expect(names.isSubset(of: known), "\(names)") }
  }

  @Test("the program understands every command among the examples of the manual")
  func examples() throws {
    let commands = page.examples.filter { $0.hasPrefix("$ pnmerge ") }
    #expect(commands.count > 30)
    for command in commands {
      var words: [String] = []
      // A word, or what stands in quotation marks of one kind.
      for match in command.matches(of: /'([^']*)'|([^ ']+)/) {
        words.append(String(match.1 ?? match.2 ?? ""))
      }
      let arguments = words.dropFirst(2).prefix { $0 != "|" }
      let host = MemoryHost()
      host.terminals = [.input, .output, .error]
      let run = host.pnmerge(Array(arguments))
      #expect(run.status != .usage, "\(command): \(run.errors)")
    }
  }

  @Test("the manual names every exit status")
  func statuses() throws {
    let page = try Self.text(of: "man/pnmerge.1")
    let section = try #require(
      page.components(separatedBy: ".Sh EXIT STATUS").last?.components(separatedBy: "\n.Sh ").first)
    for status in ExitStatus.allCases {
      #expect(section.contains("\n.It \(status.rawValue)\n"), "\(status)")
    }
  }

  @Test("the page on JSON tells every event, task, kind of conflict and result of a report")
  func events() throws {
    let page = try Self.text(of: "man/pnmerge-json.5")
    let folder = Repository.path("Sources/PnmergeCommands")
    var events: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(
      atPath: folder.path(percentEncoded: false)) where file.hasSuffix(".swift")
    {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      events.formUnion(source.matches(of: /\bLine\(\s*\w+, "([a-z-]+)",/).map { String($0.1) })
    }
    #expect(events.count > 20)
    for event in events { #expect(page.contains("\n.It Ql \(event)\n"), "\(event)") }
    for word in Conflict.Kind.allCases.map(\.rawValue) + MergeReport.Result.allCases.map(\.rawValue)
    {
      #expect(page.contains("\n.Ql \(word)"), "\(word)")
    }
  }

  @Test("the help fits a screen, its examples can be copied, and it shows no inner value")
  func help() {
    let all = MemoryHost().pnmerge("--help").output
    for command in Self.commands {
      let help = help(command)
      for arguments in [[command, "--help"], ["help", command], [command, "-h"]] {
        let run = MemoryHost().pnmerge(arguments)
        #expect(run.status == .done && run.errors == "")
        #expect(run.output.contains("Example:\n  pnmerge \(command)"))
        #expect(run.output.contains("USAGE: pnmerge \(command)"))
      }
      #expect(all.contains("  \(command) "))
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 25, "\(command): the last line is empty")
      for line in lines { #expect(line.count <= 80, "\(line)") }
      #expect(!help.contains("(bytes:"), "\(help)")
      let example =
        help.components(separatedBy: "Example:\n").last?
        .components(separatedBy: "\n\n").first ?? ""
      for line in example.split(separator: "\n") {
        #expect(line.hasPrefix("  pnmerge "), "\(command): \(line)")
      }
    }
  }
}

/// What pnmerge(1) says of commands and options.
private struct CommandManual {
  /// What stands under the heading of a command.
  struct Part {
    /// The options that have an entry of their own.
    var entries: Set<String> = []
    /// All that are named.
    var flags: Set<String> = []
  }

  private(set) var parts: [String: Part] = [:]
  /// The options that all commands take.
  private(set) var general: Set<String> = []
  /// The other options of many commands, each with the names of these.
  private(set) var shared: [String: Set<String>] = [:]
  /// The lines of literal blocks.
  private(set) var examples: [String] = []

  init(_ text: String) {
    var section = ""
    var command: String?
    var item: (flags: Set<String>, commands: Set<String>)?
    var isLiteral = false
    var isListing = false
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case ".Bd": isLiteral = true
      case ".Ed": isLiteral = false
      case ".Sh":
        section = words.dropFirst().joined(separator: " ")
        command = nil
      case ".Ss":
        // Headings of commands are in small letters, others are not.
        let name = words.dropFirst().prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } }
        command = name.isEmpty ? nil : name.joined(separator: " ")
      default: if isLiteral { examples.append(String(line)) }
      }
      if let command {
        parts[command, default: Part()].flags.formUnion(Self.flags(words))
        if words[0] == ".It" { parts[command]?.entries.formUnion(Self.flags(words)) }
      }
      guard section == "OPTIONS OF MANY COMMANDS" else { continue }
      if words[0] == ".It" || words[0] == ".El" {
        if let item {
          if item.commands.isEmpty { general.formUnion(item.flags) }
          for flag in item.flags where !item.commands.isEmpty {
            shared[flag, default: []].formUnion(item.commands)
          }
        }
        item = words[0] == ".It" ? (Self.flags(words), []) : nil
        isListing = false
      }
      // The commands stand behind a line of one word.
      if line == "For" { isListing = true }
      if isListing, words[0] == ".Cm" {
        item?.commands.formUnion(
          words.dropFirst().joined(separator: " ").split(separator: ",").map {
            $0.trimmingCharacters(in: [" ", "."])
          })
      }
    }
  }

  /// The options that a line names: what follows `Fl` up to the next macro.
  private static func flags(_ words: [String]) -> Set<String> {
    var result: Set<String> = []
    var isFlag = false
    for word in words {
      if word == "Fl" || word == ".Fl" {
        isFlag = true
      } else if ["Ar", "Cm", "No", "Ns", "Op", "Oo", "Oc", "Ic", "Pc", "|"].contains(word) {
        isFlag = false
      } else if isFlag, word.contains(where: \.isLetter) {
        result.insert("-" + word)
      }
    }
    return result
  }
}
