import AutomergeFormat
import Peernote
import PeernoteJSON

extension AutomergeDocument {
  /// Prints the changes, newest first, as `log` does.
  func log(maxCount: Int?, patch: Bool = false, json: Bool, _ invocation: Invocation) throws {
    let numbers = history.order.reversed().prefix(maxCount ?? .max)
    let heads = Set(history.heads)
    let console = invocation.console
    if json {
      try console.printResult(
        JSONReport([
          ("schema", .json(1)),
          ("document", .json(.string(history.documentID(copy.container.envelope).description))),
          ("heads", .list(history.heads) { .string($0.description) }),
          ("changes", .list(numbers, change)),
        ]))
      return
    }
    var patches = LogPatch(self)
    for number in numbers {
      let summary = history.summary(number)
      let hash = history.changes[number].hash
      let columns = [
        "", timeText(number), authorName(summary.author),
        counted(summary.eventCount, "operation"),
      ]
      let message = summary.message.map { "  " + visibleText($0) } ?? ""
      let star = heads.contains(hash) ? "* " : "  "
      try console.printResult(
        "\(star)\(hash.shortText, .yellow)\(columns.joined(separator: "  "))\(message)")
      let parents = history.parents[number].map { history.changes[Int($0)].hash.description }
      if console.isVerbose {
        for parent in parents { try console.printResult("    after \(parent)") }
      }
      if patch { try patches.show(hash.description, after: parents, console) }
    }
    for number in history.pending {
      try console.printResult(
        "  \(history.changes[number].hash.shortText)  waits for a change that is not here")
    }
  }

  private func timeText(_ number: Int) -> String {
    // MeetingNotes gives no time.
    history.changes[number].time == 0 ? "no time" : history.time(number).iso8601
  }

  private func change(_ number: Int) -> JSON {
    let summary = history.summary(number)
    return [
      "id": .string(history.changes[number].hash.description),
      "parents": .array(
        history.parents[number].map { .string(history.changes[Int($0)].hash.description) }),
      "time": .string(summary.time.iso8601), "author": .string(summary.author),
      "message": .optional(summary.message), "events": .count(summary.eventCount),
    ]
  }

  /// Prints what the file is made of, as `inspect` does.
  func inspect(changes: Bool, json: Bool, _ invocation: Invocation) throws {
    let rows = table
    if json {
      var report = JSONReport(
        [JSON.Member(name: "schema", value: 1)]
          + rows.map { JSON.Member(name: $0.name, value: $0.json) })
      if changes { report.append("changes", .list(history.order, change)) }
      try invocation.console.printResult(report)
      return
    }
    let width = rows.map(\.label.count).max() ?? 0
    for row in rows {
      for line in row.lines {
        try invocation.console.printResult(row.label + spaces(width + 2 - row.label.count) + line)
      }
    }
    if changes { try log(maxCount: nil, json: false, invocation) }
  }

  /// A line of what `inspect` says.
  private struct Row {
    var name: String
    var label: String
    var lines: [String]
    var json: JSON

    init(_ label: String, _ lines: [String], _ json: JSON) {
      name = label.replacing(" ", with: "_")
      self.label = label
      self.lines = lines
      self.json = json
    }

    init(_ label: String, _ text: String) { self.init(label, [text], .string(text)) }
    init(_ label: String, _ count: Int) { self.init(label, [String(count)], .count(count)) }
  }

  private var table: [Row] {
    let held = history.copies[0]
    var rows: [Row] = []
    if let envelope = copy.container.envelope {
      rows.append(Row("format", "MeetingNotes, envelope version \(envelope.version)"))
      rows.append(Row("document", history.documentID(envelope).description))
      rows.append(Row("identifier", Base58Check.encoded(envelope.id)))
    } else {
      rows.append(Row("format", "Automerge"))
      rows.append(Row("document", history.documentID(nil).description))
    }
    rows.append(Row("title", [state.root.title ?? ""], .optional(state.root.title)))
    rows.append(Row("size", [counted(copy.bytes.count, "byte")], .count(copy.bytes.count)))
    rows.append(
      Row(
        "chunks",
        held.chunks.map { "\($0.kind.words), \(counted($0.size, "byte")) at \($0.offset)" },
        .array(
          held.chunks.map {
            [
              "kind": .string($0.kind.words), "offset": .count($0.offset), "size": .count($0.size),
            ]
          })))
    let heads = history.heads.map(\.description)
    rows.append(Row("heads", heads, .array(heads.map(JSON.string))))
    rows.append(Row("change count", history.order.count))
    if !history.pending.isEmpty { rows.append(Row("waiting changes", history.pending.count)) }
    rows.append(Row("operation count", history.store.operations.count))
    let tally = ChangeTally(authors: history.order.lazy.map { history.author($0) })
    rows.append(
      Row(
        "authors", tally.authors.map { "\($0.name), \(counted($0.count, "change"))" },
        .array(tally.authors.map { ["name": .string($0.name), "changes": .count($0.count)] })))
    rows.append(Row("conflicts", state.conflicts.count))
    if !held.unknownColumns.isEmpty {
      let columns = held.unknownColumns.map(String.init)
      rows.append(
        Row("unknown columns", [columns.joined(separator: " ")], .array(columns.map(JSON.string))))
    }
    return rows
  }
}

extension Chunk.Kind {
  /// What a chunk is, in words.
  fileprivate var words: String {
    switch self {
    case .document: "document"
    case .change: "change"
    case .compressedChange: "compressed change"
    case .bundle: "bundle"
    }
  }
}

extension LogPatch {
  init(_ document: AutomergeDocument) {
    self.init { (try document.root(at: $0), []) }
  }
}
