import ArgumentParser
import Peernote
import PeernoteJSON

struct List: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "List the notes in folders.", takes: "[<folder> ...]", as: "ls",
    """
    One line for each note: its file, title, tags and priority, when and by whom it was last \
    changed, and how many conflicts are open.

    Example:
      pnmerge ls --sort changed ~/notes
      pnmerge ls --tag work --priority high ~/notes
    """)

  /// What the lines are sorted by.
  enum Order: String, CaseIterable, ExpressibleByArgument {
    case name, title, changed, author, conflicts
  }

  @Argument(help: .of("folder", "Folders and files; the current folder by default."))
  var files: [FileName] = []

  @Option(help: .of("order", "What to sort by."))
  var sort = Order.name

  @OptionGroup var filter: NoteFilter

  @OptionGroup var options: ReportOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let (status, notes) = try filter.notes(in: files.isEmpty ? ["."] : files, invocation)
    try report(sorted(notes), invocation)
    return status
  }

  private func sorted(_ notes: [ListedNote]) -> [ListedNote] {
    // Equal ones stay in the order of their names.
    func ordered<Key: Comparable>(_ key: (ListedNote) -> Key) -> [ListedNote] {
      notes.enumerated().map { (key($1), $0, $1) }
        .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
    return switch sort {
    case .name: notes
    case .title: ordered { ($0.summary.title ?? "").lowercased() }
    case .changed: ordered { ~$0.summary.changed.milliseconds }
    case .author: ordered { $0.summary.author.lowercased() }
    case .conflicts: ordered { -$0.summary.conflictCount }
    }
  }

  private func report(_ notes: [ListedNote], _ invocation: Invocation) throws {
    let console = invocation.console
    if json {
      return try console.printResult(JSONReport(["notes": .list(notes) { Self.json($0) }]))
    }
    let width = min(notes.lazy.map { $0.file.visible.count }.max() ?? 0, 40)
    for note in notes {
      let (name, summary) = (note.file.visible, note.summary)
      var parts = [summary.title ?? "-"]
      if !summary.tags.isEmpty { parts.append("[\(summary.tags.joined(separator: ", "))]") }
      if let priority = summary.priority { parts.append(priority) }
      parts.append("\(invocation.localText(summary.changed)) \(authorName(summary.author))")
      let rest = spaces(width - name.count) + "  " + parts.joined(separator: "  ")
      if summary.conflictCount > 0 {
        let conflicts = counted(summary.conflictCount, "conflict")
        try console.printResult("\(name, .bold)\(rest)  \(conflicts, .red)")
      } else {
        try console.printResult("\(name, .bold)\(rest)")
      }
    }
  }

  private static func json(_ note: ListedNote) -> JSON {
    let summary = note.summary
    return [
      "file": .string(note.file.visible), "document": .string(summary.id.description),
      "title": .optional(summary.title), "tags": .array(summary.tags.map { .string($0) }),
      "priority": .optional(summary.priority), "created": .string(summary.created.iso8601),
      "changed": .string(summary.changed.iso8601),
      "author": .string(summary.author), "conflicts": .count(summary.conflictCount),
    ]
  }
}
