import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge inspect`: what a file is made of.
struct Inspect: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a file is made of.",
    usage: "pnmerge inspect [<options>] <file>",
    discussion: """
      Shows identity, heads, authors, counts and sizes, and how much deleted text, replaced values \
      and removed texts the history still holds. 'redact' removes deleted text.

      Example:
        pnmerge inspect notes.peernote
      """)

  @Argument(help: ArgumentHelp("The document; - is standard input.", valueName: "file"))
  var file: FileName

  @Flag(help: "List the changes with their parents, oldest first.")
  var changes = false

  @Flag(help: "Show the bytes in CBOR diagnostic notation.")
  var diag = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if diag && (json || changes) {
      throw ValidationError("--diag excludes --json and --changes.")
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    if diag {
      let bytes = try invocation.readBytes(file)
      try invocation.console.write(Document.diagnosticNotation(of: bytes).utf8)
      return .done
    }
    let bytes = try invocation.readDocumentBytes(file)
    if let document = try AutomergeDocument(bytes, from: file) {
      try document.inspect(changes: changes, json: json, invocation)
      return .done
    }
    let inspection = try invocation.parsing(file, bytes) { () throws(DocumentError) in
      try Document.inspect(bytes: bytes)
    }
    let list = changes ? try invocation.parseDocument(bytes, from: file).changes : nil
    let reader = try invocation.parsing(file, bytes) { () throws(DocumentError) in
      try DocumentReader(bytes: bytes)
    }
    if json {
      var object = inspection.members
      object.insert(JSON.Member(name: "title", value: .optional(reader.root.title)), at: 2)
      var report = JSONReport(object)
      if let list { report.append("changes", .list(list, \.json)) }
      try invocation.console.printResult(report)
      return .done
    }
    let table = inspection.table(title: reader.root.title)
    let width = table.map(\.0.count).max() ?? 0
    for (name, value) in table {
      try invocation.console.printResult(name + spaces(width + 2 - name.count) + value)
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
  fileprivate func table(title: String?) -> [(String, String)] {
    var rows = [("document", id.description)]
    if let title { rows.append(("title", title)) }
    rows.append(("format", "version \(formatVersion)"))
    rows.append(("size", counted(fileSize, "byte")))
    for section in sections {
      rows.append(("  \(section.name)", "\(counted(section.size, "byte")) at \(section.offset)"))
    }
    rows += heads.map { ("head", $0.description) }
    rows.append(("changes", String(changeCount)))
    rows.append(("events", String(eventCount)))
    rows.append(("operations", String(operationCount)))
    rows.append(("agents", String(agentCount)))
    rows += authors.map { ("author", "\(authorName($0.name)), \(counted($0.changes, "change"))") }
    rows.append(("deleted text", "\(counted(deletedScalars, "character")) still held"))
    if redactedScalars > 0 {
      rows.append(("redacted text", "\(counted(redactedScalars, "character")) removed"))
    }
    rows.append(("replaced values", "\(hiddenValues) still held"))
    rows.append(("removed texts", "\(counted(hiddenTextScalars, "character")) still held"))
    return rows
  }

  fileprivate var members: [JSON.Member] {
    let sections = sections.map { section -> JSON in
      [
        "name": .string(section.name), "offset": .count(section.offset),
        "size": .count(section.size),
      ]
    }
    let authors = authors.map { author -> JSON in
      ["name": .string(author.name), "changes": .count(author.changes)]
    }
    return [
      JSON.Member(name: "schema", value: 1),
      JSON.Member(name: "document", value: .string(id.description)),
      JSON.Member(name: "format_version", value: .count(formatVersion)),
      JSON.Member(name: "size", value: .count(fileSize)),
      JSON.Member(name: "sections", value: .array(sections)),
      JSON.Member(
        name: "unknown_sections",
        value: .array(unknownSections.map { .integer(Int64(clamping: $0)) })),
      JSON.Member(name: "heads", value: .array(heads.map { .string($0.description) })),
      JSON.Member(name: "change_count", value: .count(changeCount)),
      JSON.Member(name: "event_count", value: .count(eventCount)),
      JSON.Member(name: "operation_count", value: .count(operationCount)),
      JSON.Member(name: "agent_count", value: .count(agentCount)),
      JSON.Member(name: "authors", value: .array(authors)),
      JSON.Member(name: "deleted_characters", value: .count(deletedScalars)),
      JSON.Member(name: "redacted_characters", value: .count(redactedScalars)),
      JSON.Member(name: "hidden_values", value: .count(hiddenValues)),
      JSON.Member(name: "hidden_text_characters", value: .count(hiddenTextScalars)),
    ]
  }
}
