import ArgumentParser
import Peernote
import PeernoteJSON

struct Conflicts: OptionsCommand, HistoryCommand, FilesCommand {
  static let configuration = configured(
    "List the conflicts that nobody has resolved yet.", takes: "<file> ...",
    """
    Lists what stood at each place before, the value that was kept, and the others; the name \
    before each is for 'resolve --take'. A directory stands for the documents in it. The status \
    is 1 if anything is listed.

    Example:
      pnmerge conflicts notes.peernote
    """)

  @Argument(help: .of("file", "Documents and directories; - is standard input."))
  var files: [FileName]

  @Flag(help: "List also what is worth a look in the last merges.")
  var all = false

  @OptionGroup var options: ReportOptions
  @OptionGroup var identity: ElementIdentity

  /// What is open in a document.
  private struct Found {
    var file: FileName
    /// What is contested, what stood there before, and what stands around it.
    var contested: [(conflict: Conflict, before: EarlierContent, around: PassageSentence)] = []
    /// Where they stand; `nil` for those of an Automerge document.
    var places: ConflictPlaces?
    /// The keys by which its elements are known.
    var identityKeys: [String] = []
    /// What left a tracked plain file, and nobody was asked.
    var takenOut: [TakenOutLines] = []

    var isEmpty: Bool { contested.isEmpty && takenOut.isEmpty }

    /// The conflicts for programs.
    var members: [(name: String, value: JSONReport.Value)] {
      let conflicts = JSONReport.Value.list(contested) { conflict, before, _ in
        conflict.json(
          column: places?.column(of: conflict),
          before: before.isKnown ? before.node.map { ["value": $0.json] } ?? .null : nil)
      }
      return [("conflicts", conflicts), ("taken_out", .list(takenOut, \.json))]
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    try invocation.checkStandardInput(files)
    let isOne = files.count == 1 && !invocation.isDirectory(files[0])
    let documents = try invocation.documentFiles(in: files, with: .histories)
    let (status, read) = try invocation.forEachFile(documents) { file -> Found? in
      let found = try look(at: invocation.operand(file), invocation)
      return isOne || !found.isEmpty ? found : nil
    }
    // Of files that cannot be read nothing is known.
    if read.isEmpty { return status }
    let found = read.compactMap(\.self)
    if json {
      let files = JSONReport.Value.list(found) { found in
        try JSONReport([("file", .json(.string(found.file.visible)))] + found.members).json()
      }
      try invocation.console.printResult(
        JSONReport(isOne ? found.flatMap(\.members) : [("files", files)]))
    } else {
      for found in found { try report(found, asOne: isOne, invocation) }
      if found.isEmpty { try invocation.console.report("no conflicts") }
    }
    return max(status, found.allSatisfy(\.isEmpty) ? .done : .different)
  }

  private func look(at operand: Operand, _ invocation: Invocation) throws -> Found {
    let file = operand.file
    if let conflicts = operand.foreign?.conflicts {
      return Found(
        file: file, contested: conflicts.map { ($0, before: .unknown, around: ("", "")) })
    }
    let document = try operand.document()
    let keys = identity.keys(in: document)
    var listed = document.conflicts(identityKeys: identity.matching.identityKeys)
    if all {
      // Lines next to each other that both sides changed, and that nobody has touched since.
      for versions in document.lastMerges(Self.mergeCount) {
        listed += try file.parsing(document.adjoiningLines(ofMerging: versions))
      }
    }
    let before = try file.parsing(document.earlierContent(of: listed, identityKeys: keys))
    var texts = TextsByLine(of: document)
    return Found(
      file: file,
      contested: zip(listed, before).map {
        ($0.taken(since: $1.node), before: $1, around: texts.sentence(around: $0))
      },
      places: ConflictPlaces(of: listed, in: document), identityKeys: keys,
      takenOut: PlainFileStates(invocation.host).known(document, from: file)?.state.missingLines
        ?? [])
  }

  /// The most merges of a history that are looked at for what is worth a look, by some replays each.
  private static let mergeCount = 8

  private func report(_ found: Found, asOne isOne: Bool, _ invocation: Invocation) throws {
    let console = invocation.console
    let file = found.file.shown.inputName
    if found.isEmpty { return try console.report("\(file): no conflicts") }
    for (conflict, before, around) in found.contested {
      let place = found.places?.place(of: conflict) ?? conflict.place
      try console.printResult(StyledLine(isOne ? place : "\(file): \(place)", .bold))
      let limit = conflict.isCombined ? Conflict.sentenceLength : Conflict.listedLength
      let previews = conflict.previews(limit: limit, around: around, before: before)
      let earlier = before.isKnown ? previews.last : nil
      if conflict.isCombined {
        try console.printResult("  \(conflict.what): \(previews[0])")
        if let earlier { try console.printResult("  before: \(earlier)") }
        continue
      }
      let names = conflict.sideNames
      let width = names.lazy.map(\.utf8.count).max() ?? 0
      if let earlier { try console.printResult("\(spaces(4 + width))before  \(earlier)") }
      for (index, side) in conflict.sides.enumerated() {
        let gap = spaces(width - names[index].utf8.count)
        let kept = index == 0 && !conflict.isOfSeveralElements ? "kept    " : "        "
        let place = side.path.map { "\($0.visible)  " } ?? side.line.map { "line \($0)  " } ?? ""
        let what = place + (side.node == nil ? "deleted" : previews[index])
        try console.printResult(
          "  \(names[index], .yellow)\(gap)  \(kept)\(what) (\(side.signature(invocation)))")
      }
    }
    for taken in found.takenOut {
      try console.printResult(StyledLine(file, .bold))
      let heads = taken.heads.map(\.description).joined(separator: " ")
      let count = counted(taken.lines.count, "line")
      try console.printResult(
        "  \(heads, .yellow)  \(count) taken out by a save of \(invocation.localText(taken.saved))")
      for line in taken.lines {
        let preview = DocumentNode.text(line).preview(limit: Conflict.listedLength)
        try console.printResult("    \(preview)")
      }
    }
    if found.places == nil {
      try console.report("to settle one: set the place again in the app")
    } else if !found.file.isStandardStream, !console.isQuiet {
      try advise(found, console)
    }
  }

  private func advise(_ found: Found, _ console: Console) throws {
    let options = identity.keys.map { " --identity \(shellQuoted($0.text))" }.joined()
    let name = shellQuoted(found.file.shown)
    let resolve = "pnmerge resolve\(options) \(name)"
    let keys = found.identityKeys
    let conflicts = found.contested.map(\.conflict)
    if let plain = found.file.plainFile, let taken = found.takenOut.last {
      try console.report(
        "to have lines back: write them into \(shellQuoted(plain)), or for all of the file: pnmerge "
          + "restore \(shellQuoted(plain))\(taken.base.map { " --at \($0)" }.joined())")
    }
    /// Whether it is settled after others.
    func holdsOthers(_ conflict: Conflict) -> Bool {
      if conflict.scalars != nil { return false }
      let paths = [conflict.path] + conflict.elements
      return conflicts.contains { other in
        other != conflict && paths.contains { other.path.isInside($0) }
      }
    }
    /// A command for the first conflict of some kind.
    func advise(_ what: String, _ take: String?, _ isMeant: (Conflict) -> Bool) throws {
      let meant = conflicts.filter { !$0.isCombined && isMeant($0) }
      guard let first = meant.first(where: { take == nil || !holdsOthers($0) }),
        let side = take ?? first.sideNames.dropFirst().first
      else { return }
      let place = shellQuoted(found.places?.place(of: first) ?? first.place)
      try console.report("\(what): \(resolve) \(place) --take \(side)")
    }
    try advise("to take the other side of the first", nil) { _ in true }
    try advise("to keep both of two equal elements", "both") { $0.kind == .sameContent }
    try advise("to keep what was moved in both places", "both") {
      $0.kind == .moved && $0.isOfSeveralElements
    }
    try advise("to unite what both sides made", "both") {
      $0.kind != .sameContent && $0.kind != .moved && $0.allows(.all, identityKeys: keys)
    }
    if conflicts.contains(where: { !$0.isCombined }) {
      try console.report("to go through all: pnmerge resolve -i\(options) \(name)")
    }
  }
}

extension TakenOutLines {
  /// For programs.
  fileprivate var json: JSON {
    [
      "change": .string(heads.map(\.description).joined(separator: ",")),
      "before": .string(base.map(\.description).joined(separator: ",")),
      "saved": .string(saved.iso8601), "lines": .array(lines.map { .string($0) }),
    ]
  }
}
