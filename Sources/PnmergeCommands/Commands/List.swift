import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge ls`: lists the notes in folders.
struct List: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the notes in folders.",
    discussion: """
      One line for each note: its file, title, tags, when and by whom it was last changed, and how \
      many conflicts are open. Notes that are marked as deleted are left out. Title and tags of a \
      tracked file are those of its front matter.

      Example:
        pnmerge ls --sort changed ~/notes
      """)

  /// What the lines are sorted by.
  enum Order: String, CaseIterable, ExpressibleByArgument {
    case name, title, changed, author, conflicts
  }

  @Argument(
    help: ArgumentHelp("Folders and files; the current folder by default.", valueName: "folder"))
  var fileArguments: [FileNames] = []

  @Option(
    help: ArgumentHelp(
      "Sort by name, title, changed (newest first), author or conflicts (most first).",
      valueName: "order"))
  var sort = Order.name

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  /// A note, and its file as people are told of it.
  private typealias Entry = (file: FileName, summary: DocumentSummary)

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    let named = fileArguments.flatMap(\.names)
    var entries: [Entry] = []
    let listed = FoundFiles(files: named.isEmpty ? [FileName(".")] : named)
    let status = try invocation.forEachFile(listed) { file in
      guard invocation.isDirectory(file) else {
        let bytes = try invocation.readDocumentBytes(file)
        let summary = try invocation.parsing(file, bytes) { () throws(DocumentError) in
          try DocumentSummary(bytes: bytes)
        }
        entries.append((file, summary))
        return .done
      }
      let folder = try OpenFolder(file, invocation)
      folder.save()
      let documents = folder.livePaths.compactMap { path in
        folder.documents[path].map { (path, $0) }
      }
      for (path, summary) in (documents + folder.trackedFiles).sorted(by: { $0.0 < $1.0 }) {
        entries.append((folder.shownFile(path), summary))
      }
      return try invocation.say(folder.faults)
    }
    try report(sorted(entries), invocation)
    return status
  }

  private func sorted(_ entries: [Entry]) -> [Entry] {
    // Equal ones stay in the order of their names.
    func ordered<Key: Comparable>(_ key: (Entry) -> Key) -> [Entry] {
      entries.enumerated().map { (key($1), $0, $1) }
        .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
    return switch sort {
    case .name: entries
    case .title: ordered { ($0.summary.title ?? "").lowercased() }
    case .changed: ordered { ~$0.summary.changed.milliseconds }
    case .author: ordered { $0.summary.author.lowercased() }
    case .conflicts: ordered { -$0.summary.conflictCount }
    }
  }

  private func report(_ entries: [Entry], _ invocation: Invocation) throws {
    let console = invocation.console
    if json {
      return try console.printResult(
        JSONReport([("schema", .json(1)), ("notes", .list(entries) { Self.json($0) })]))
    }
    let width = min(entries.lazy.map { $0.file.visible.count }.max() ?? 0, 40)
    for (file, summary) in entries {
      let name = file.visible
      var parts = [summary.title ?? "-"]
      if !summary.tags.isEmpty { parts.append("[\(summary.tags.joined(separator: ", "))]") }
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

  private static func json(_ entry: Entry) -> JSON {
    let summary = entry.summary
    return [
      "file": .string(entry.file.visible), "document": .string(summary.id.description),
      "title": .optional(summary.title), "tags": .array(summary.tags.map { .string($0) }),
      "created": .string(summary.created.iso8601), "changed": .string(summary.changed.iso8601),
      "author": .string(summary.author), "conflicts": .count(summary.conflictCount),
    ]
  }
}
