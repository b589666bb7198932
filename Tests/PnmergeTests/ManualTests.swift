import Foundation
import PnmergeCommands
import Testing

@Suite("The help of the commands, and the manual page")
struct ManualTests {
  /// The commands for documents; those for git stand together in the manual.
  static let commands = documentCommandNames

  /// The options that the manual names once for all commands, or all that write.
  private static let common: Set<String> = [
    "--quiet", "--verbose", "--color", "--version", "--help", "--no-backup", "--schema-ref",
  ]

  /// The synopses of a command.
  private func synopsis(_ command: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "man/pnmerge.1"), encoding: .utf8)
    let start = try #require(page.range(of: ".Sh SYNOPSIS"))
    let end = try #require(page.range(of: ".Sh DESCRIPTION"))
    return page[start.upperBound..<end.lowerBound].components(separatedBy: ".Nm\n")
      .filter { $0.hasPrefix(".Cm \(command)\n") }.joined()
  }

  /// What the help lists: the short name, if there is one, and the long one.
  private func options(_ help: String) -> [(short: Character?, long: String)] {
    let start = help.range(of: "\nOPTIONS:\n")?.upperBound ?? help.endIndex
    var result: [(short: Character?, long: String)] = []
    for line in help[start...].split(separator: "\n") where line.hasPrefix("  -") {
      let words = line.split(separator: " ")
      let isLong = words[0].hasPrefix("--")
      let short = isLong ? nil : words[0].dropFirst().first
      let long = isLong ? words[0] : words.count > 1 ? words[1] : ""
      // `--marker/--no-marker` are two.
      result += long.split(separator: "/").map { (short, String($0)) }
      if long.isEmpty { result.append((short, "")) }
    }
    return result
  }

  @Test("every option of a command stands in its synopsis", arguments: commands)
  func synopses(command: String) throws {
    let synopsis = try synopsis(command)
    #expect(!synopsis.isEmpty)
    // Short options: `.Op Fl nqv`, `.Op Fl m Ar text`, `.Fl i`.
    let words = synopsis.split { $0 == " " || $0 == "\n" }
    let short = Set(
      zip(words, words.dropFirst()).filter { $0.0 == "Fl" || $0.0 == ".Fl" }
        .filter { !$0.1.hasPrefix("-") }.flatMap { Array($0.1) })
    for option in options(MemoryHost().pnmerge(command, "--help-hidden").output)
    where !Self.common.contains(option.long) {
      #expect(
        option.short.map(short.contains) ?? false
          || words.contains { $0 == option.long.dropFirst() },
        "\(option.long) of \(command)")
    }
  }

  @Test("the help fits a screen, its examples can be copied, and it shows no inner value")
  func help() {
    for command in Self.commands {
      let help = MemoryHost().pnmerge(command, "--help").output
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
