import ArgumentParser
import Peernote
import PeernoteJSON

struct Inspect: OptionsCommand, OneFileCommand {
  static let configuration = configured(
    "Show what a file is made of.", takes: "<file>",
    """
    Shows identity, heads, authors, counts and sizes, and how much deleted text, replaced values \
    and removed texts the history still holds. 'redact' removes deleted text.

    Example:
      pnmerge inspect notes.peernote
    """)

  @Argument(help: .of("file", "The document; - is standard input."))
  var file: FileName

  @Flag(help: "List the changes with their parents, oldest first.")
  var changes = false

  @Flag(help: "Show the bytes in CBOR diagnostic notation.")
  var diag = false

  @OptionGroup var options: ReportOptions

  var mistakes: Mistakes { ["--diag excludes --json and --changes": diag && (json || changes)] }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    if diag {
      let bytes = try invocation.readBytes(file)
      try invocation.console.write(diagnosticNotation(of: bytes).utf8)
      return .done
    }
    let operand = try invocation.operand(file)
    let facts =
      try operand.foreign?.facts
      ?? invocation.parsing(file, operand.bytes, Document.inspect(bytes: operand.bytes))
      .facts(title: operand.root.title)
    let list = changes ? try operand.document().changes : nil
    if json {
      var report = JSONReport(facts.map { ($0.name, .json($0.json)) })
      if let list { report.append("changes", .list(list, \.json)) }
      try invocation.console.printResult(report)
      return .done
    }
    let lines = facts.flatMap(\.lines)
    let width = lines.map(\.label.count).max() ?? 0
    for (label, text) in lines {
      try invocation.console.printResult(label + spaces(width + 2 - label.count) + text)
    }
    guard let list else { return .done }
    for change in list {
      let parents = change.parents.map(\.description).joined(separator: " ")
      try invocation.console.printResult(
        "\(change.id)  \(change.time.iso8601)  \(authorName(change.author))  "
          + counted(change.eventCount, "event") + (parents.isEmpty ? "" : "  after \(parents)"))
    }
    return .done
  }
}

extension Inspection {
  fileprivate func facts(title: String?) -> [InspectedFact] {
    var parts = InspectedFact(
      "sections", [],
      .array(
        sections.map {
          ["name": .string($0.name), "offset": .count($0.offset), "size": .count($0.size)]
        }))
    parts.lines = sections.map {
      ("  \($0.name)", "\(counted($0.size, "byte")) at \($0.offset)")
    }
    let redacted = "\(counted(redactedScalars, "character")) removed"
    return [
      InspectedFact("document", id.description),
      InspectedFact("title", title.map { [$0] } ?? [], .optional(title)),
      InspectedFact(
        "format_version", label: "format", ["version \(formatVersion)"], .count(formatVersion)),
      InspectedFact("size", [counted(fileSize, "byte")], .count(fileSize)),
      parts,
      InspectedFact(
        "unknown_sections", [], .array(unknownSections.map { .integer(Int64(clamping: $0)) })),
      InspectedFact(
        "heads", label: "head", heads.map(\.description),
        .array(heads.map { .string($0.description) })),
      InspectedFact("change_count", label: "changes", changeCount),
      InspectedFact("event_count", label: "events", eventCount),
      InspectedFact("operation_count", label: "operations", operationCount),
      InspectedFact("agent_count", label: "agents", agentCount),
      InspectedFact(
        "authors", label: "author",
        authors.map { "\(authorName($0.name)), \(counted($0.changes, "change"))" },
        .array(authors.map { ["name": .string($0.name), "changes": .count($0.changes)] })),
      InspectedFact(
        "deleted_characters", label: "deleted text",
        ["\(counted(deletedScalars, "character")) still held"], .count(deletedScalars)),
      InspectedFact(
        "redacted_characters", label: "redacted text", redactedScalars > 0 ? [redacted] : [],
        .count(redactedScalars)),
      InspectedFact(
        "hidden_values", label: "replaced values", ["\(hiddenValues) still held"],
        .count(hiddenValues)),
      InspectedFact(
        "hidden_text_characters", label: "removed texts",
        ["\(counted(hiddenTextScalars, "character")) still held"], .count(hiddenTextScalars)),
    ]
  }
}
