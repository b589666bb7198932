import ArgumentParser
import Peernote

/// `pnmerge blame`: who wrote which line.
struct Blame: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "blame",
    abstract: "Show who wrote which line of a text.",
    discussion: """
      Before each line stand the change that last wrote something in it, its author and time \
      (UTC). What was only deleted leaves no trace here.

      Example:
        pnmerge blame notes.peernote
        pnmerge blame notes.peernote /agenda/0/discussion
      """)

  @Argument(help: ArgumentHelp("The document; - is standard input.", valueName: "file"))
  var file: FileName

  @Argument(
    help: ArgumentHelp("Which text: a JSON Pointer.", valueName: "path"),
    transform: PathArgument.parse)
  var path = PathArgument(JSONPointer(["body"]))

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Look at the document as it was right after this change; repeatable.", valueName: "change"))
  var versions: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    var document = try invocation.readDocument(file)
    if !versions.isEmpty { document = try document.version(named: versions, in: file) }
    let lines = try lines(of: document)
    let changes = Dictionary(
      document.changes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    if json {
      try invocation.console.result([
        "schema": 1, "path": .string(path.path.description),
        "lines": .array(
          lines.enumerated().map { index, line in
            [
              "line": .count(index + 1), "text": .string(line.text),
              "change": .string(line.change.description),
              "author": .optional(changes[line.change]?.author),
              "time": .optional(changes[line.change]?.time.iso8601),
            ]
          }),
      ])
      return .done
    }
    let authors = lines.map { authorName(changes[$0.change]?.author ?? "") }
    let nameWidth = lines.map { $0.change.description.utf8.count }.max() ?? 0
    let authorWidth = authors.map(\.count).max() ?? 0
    let numberWidth = String(lines.count).utf8.count
    for (index, line) in lines.enumerated() {
      let name = line.change.description
      let number = String(index + 1)
      let columns = [
        spaces(nameWidth - name.utf8.count),
        authors[index] + spaces(authorWidth - authors[index].count),
        changes[line.change]?.time.iso8601 ?? "",
        spaces(numberWidth - number.utf8.count) + number,
      ]
      try invocation.console.result(
        "\(name, .yellow)\((columns + [line.text]).joined(separator: "  "))")
    }
    return .done
  }

  /// A line without its end, and the change that last wrote something in it.
  private struct Line {
    var text: String
    var change: ChangeID
  }

  private func lines(of document: Document) throws(Failure) -> [Line] {
    let origins: [TextOrigin]?
    do {
      origins = try document.origins(ofTextAt: path.path)
    } catch {
      throw error.failure(in: file)
    }
    guard let origins, case .text(let text) = document.node(at: path.path) else {
      throw Failure(.usage, file: file, "there is no text at \(path.path.visible)")
    }
    // Changes stand in the file after those that they follow.
    let order = Dictionary(
      document.changes.enumerated().map { ($0.element.id, ($0.element.time, $0.offset)) },
      uniquingKeysWith: { first, _ in first })
    func isLater(_ left: ChangeID, than right: ChangeID) -> Bool {
      guard let left = order[left], let right = order[right] else { return false }
      return left > right
    }
    var lines: [Line] = []
    var content = String.UnicodeScalarView()
    var latest: ChangeID?
    var position = 0
    var origin = 0
    for scalar in text.unicodeScalars {
      while origins[origin].scalars.upperBound <= position { origin += 1 }
      let change = origins[origin].change
      position += 1
      // The end of a line counts only where there is nothing else.
      if scalar == "\n" {
        lines.append(Line(text: String(content), change: latest ?? change))
        content = String.UnicodeScalarView()
        latest = nil
        continue
      }
      content.append(scalar)
      if latest.map({ isLater(change, than: $0) }) ?? true { latest = change }
    }
    if let latest { lines.append(Line(text: String(content), change: latest)) }
    return lines
  }
}
