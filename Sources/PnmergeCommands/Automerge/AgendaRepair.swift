import AutomergeFormat
import Peernote
import PeernoteDigest
import PeernoteJSON

/// Puts back what MeetingNotes itself mixes up.
///
/// When an agenda item is deleted, the app does not remove its row: it writes identifier and title of
/// each further item into the row before, and removes the last row. The texts stay in their rows. So
/// each item below shows the text of the one before it, and the last text is shown no more.
///
/// The history tells which text is whose: the one that was made in a row while the row had the
/// item's identifier, to the knowledge of whoever made it. The same holds for titles that somebody
/// else wrote meanwhile. What is to be put back becomes one change, which is the same whoever
/// repairs the same state.
struct AgendaRepair {
  private let state: AutomergeState
  private var history: AutomergeHistory { state.history }
  /// The list of items; `nil` if there is none.
  private let agendas: Int?
  /// All rows that there ever were: elements with a map.
  private let rows: [Row]
  /// What was put back, a line for each item's text or title, and each item.
  private(set) var fixes: [String] = []

  /// What belongs to an item, by its key in the row's map.
  private enum Part: String {
    case text = "discussion"
    case title
    case id
  }

  /// A row of the list.
  private struct Row {
    let cell: Int
    /// The number of its map.
    let map: Int
    /// The operations that wrote an identifier, in the order of their names.
    let ids: [Int32]

    /// The row of a cell, if the element was inserted with a map.
    init?(_ cell: Int, in state: AutomergeState) {
      guard let map = state.object(madeBy: state.insertion(cell)), state.kind(ofObject: map) == .map
      else { return nil }
      self.cell = cell
      self.map = map
      ids = Self.writes(.id, to: map, in: state)
    }

    /// The operations that wrote a part, in the order of their names.
    static func writes(_ part: Part, to map: Int, in state: AutomergeState) -> [Int32] {
      let cell = state.objects[map].cells.first { state.key($0) == part.rawValue }
      return cell.map { cell in
        state.operations(ofCell: cell).filter { place in
          state.history.store.operations[Int(place)].action == (part == .text ? .makeText : .set)
        }
      } ?? []
    }
  }

  /// What was written for one item, wherever it stood.
  private struct Item {
    /// The row that it had first.
    let home: Row
    /// The operations that wrote each part.
    var writes: [Part: [Int32]] = [:]
  }

  init(_ state: AutomergeState) {
    self.state = state
    agendas = state.cell("agendas", ofObject: 0)
      .flatMap { state.object(madeBy: state.shown($0)) }
      .flatMap { state.kind(ofObject: $0) == .list ? $0 : nil }
    rows = agendas.map { state.objects[$0].cells.compactMap { Row($0, in: state) } } ?? []
  }

  // MARK: Whose is it

  /// The string that an operation wrote.
  private func string(_ place: Int32) -> String? {
    if case .string(let text) = state.value(place) { text } else { nil }
  }

  /// The latest of some operations by their names.
  private func latest(_ places: some Sequence<Int32>) -> Int32? {
    places.max { state.names[Int($0)] < state.names[Int($1)] }
  }

  /// The identifier that a row had for whoever made a change.
  private func id(of row: Row, _ change: Int, _ clocks: ChangeClocks) -> String? {
    // Mostly there is one, written before all else.
    if row.ids.count == 1 { return string(row.ids[0]) }
    let known = row.ids.filter { clocks.isMade(change, upon: state.change(ofOperation: $0)) }
    return latest(known).flatMap { string($0) }
  }

  /// Finds what was written for each item.
  private func items(_ clocks: ChangeClocks) -> [String: Item] {
    var items: [String: Item] = [:]
    for row in rows {
      for part in [Part.text, .title] {
        for place in Row.writes(part, to: row.map, in: state) {
          guard let id = id(of: row, state.change(ofOperation: place), clocks) else { continue }
          items[id, default: Item(home: row)].writes[part, default: []].append(place)
        }
      }
    }
    return items
  }

  // MARK: Putting back

  /// Says how many things a repair would put back, and how; `nil` if none.
  static func advice(on state: AutomergeState, in file: FileName) -> String? {
    var repair = AgendaRepair(state)
    guard (try? repair.repaired()) != nil else { return nil }
    let count = repair.fixes.count
    return
      "\(counted(count, "thing")) of agenda items \(count == 1 ? "was" : "were") mixed up by a "
      + "deletion in the app; to put back: pnmerge repair \(shellQuoted(file)) -o NEW"
  }

  /// The document with a further change that puts everything back; `nil` if nothing is to be done.
  mutating func repaired() throws(AutomergeError) -> AutomergeHistory? {
    // Without a row that had two identifiers nothing can be mixed up.
    guard let agendas, rows.contains(where: { Set($0.ids.compactMap(string)).count > 1 }) else {
      return nil
    }
    let clocks = try ChangeClocks(history)
    let items = items(clocks)
    var builder = AutomergeBuilder(by: actor, upon: history)
    var shown = Set<String>()
    var last = OperationID.none
    let shownRows = state.cells(ofObject: agendas)
    for (index, cell) in shownRows.enumerated() {
      last = builder.name(of: state.insertion(cell), in: state)
      guard state.shown(cell) == state.insertion(cell), let row = Row(cell, in: state),
        let id = operations(.id, in: row).last.flatMap(string)
      else { continue }
      shown.insert(id)
      if let item = items[id] { repair(row, item, at: index, &builder) }
    }
    var index = shownRows.count
    let lost = items.filter {
      !shown.contains($0.key) && isChangedMeanwhile($0.key, $0.value, clocks)
    }
    for (id, item) in lost.sorted(by: {
      ($0.value.home.cell, $0.key) < ($1.value.home.cell, $1.key)
    }) {
      let list = builder.name(of: state.objects[agendas].maker, in: state)
      let map = builder.insert(.object(.map), into: list, after: last)
      last = map
      put(id, as: .id, of: map, &builder)
      put(own(.title, of: item), as: .title, of: map, &builder)
      put(own(.text, of: item), as: .text, of: map, &builder)
      addFix(item, at: index, "is back: it was deleted by one and changed by another")
      index += 1
    }
    guard !fixes.isEmpty else { return nil }
    let time = history.order.map { history.changes[$0].time }.max() ?? 0
    return try builder.finish(time: time, message: "texts and titles put back")
  }

  private mutating func repair(
    _ row: Row, _ item: Item, at index: Int, _ builder: inout AutomergeBuilder
  ) {
    let map = builder.name(of: state.insertion(row.cell), in: state)
    for part in [Part.text, .title] where item.writes[part] != nil {
      let own = own(part, of: item)
      let present = operations(part, in: row)
      guard let shown = present.last, content(shown, part) != own else { continue }
      let replaced = present.map { builder.name(of: $0, in: state) }
      put(own, as: part, of: map, replacing: replaced, &builder)
      let clause = part == .text ? "text again; it showed" : "title again; it was called"
      addFix(item, at: index, "has its own \(clause) \(quoted(content(shown, part) ?? ""))")
    }
  }

  private func put(
    _ content: String, as part: Part, of map: OperationID, replacing: [OperationID] = [],
    _ builder: inout AutomergeBuilder
  ) {
    let object = builder.put(
      part == .text ? .object(.text) : .string(content), at: .key(part.rawValue), of: map,
      replacing: replacing)
    if part == .text { builder.insert(content, into: object) }
  }

  private mutating func addFix(_ item: Item, at index: Int, _ clause: String) {
    let path = JSONPointer(["agendas", String(index)])
    fixes.append("\(path.visible): \(quoted(own(.title, of: item))) \(clause)")
  }

  /// The operations that compete for a key of a row; the last one is shown.
  private func operations(_ part: Part, in row: Row) -> [Int32] {
    state.cell(part.rawValue, ofObject: row.map).map { state.visible($0) } ?? []
  }

  /// The string that an operation wrote, or the text that it made, as it is now.
  private func content(_ place: Int32, _ part: Part) -> String? {
    if part != .text { return string(place) }
    return state.object(madeBy: place).map { state.text(ofObject: $0) } ?? ""
  }

  /// What was written last for an item.
  private func own(_ part: Part, of item: Item) -> String {
    latest(item.writes[part] ?? []).flatMap { content($0, part) } ?? ""
  }

  /// Whether somebody changed an item who did not know that it was deleted by somebody else, who
  /// did not know of the change.
  private func isChangedMeanwhile(
    _ id: String, _ item: Item, _ clocks: ChangeClocks
  ) -> Bool {
    let row = item.home
    // What wrote another identifier over it.
    let deletions = row.ids.filter { string($0) != id }
      .map { state.change(ofOperation: $0) }
    guard let deletion = deletions.first, row.ids.contains(where: { string($0) == id }) else {
      return false
    }
    let text = latest(item.writes[.text] ?? []).flatMap { state.object(madeBy: $0) }
    let edits = text.map { state.objects[$0].cells.flatMap { state.operations(ofCell: $0) } }
    let written = [latest(item.writes[.title] ?? [])].compactMap(\.self) + (edits ?? [])
    return written.contains { place in
      let change = state.change(ofOperation: place)
      return !clocks.isMade(deletion, upon: change) && !clocks.isMade(change, upon: deletion)
    }
  }

  /// Who puts back: follows from the state that is repaired.
  private var actor: [UInt8] {
    var seed = Array("peernote: agenda items put back\n".utf8)
    for head in history.heads { seed += head.bytes }
    return Array(SHA256.hash(seed).prefix(16))
  }
}

/// `repair` for Automerge documents: merges the copies that are sound, and puts back what
/// MeetingNotes mixed up.
struct AutomergeRepair {
  var files: [FileName]
  var output: FileName

  /// Repairs what the files hold, and says what was done; the status is 1 if some were damaged.
  func callAsFunction(_ contents: [[UInt8]], _ invocation: Invocation) throws -> ExitStatus {
    var copies: [AutomergeCopy] = []
    var failures: [Failure] = []
    for (file, bytes) in zip(files, contents) {
      do throws(Failure) {
        let copy = try AutomergeCopy(required: bytes, from: file, addition: "; left out")
        _ = try AutomergeDocument([copy], addition: "; left out")
        copies.append(copy)
      } catch {
        failures.append(error)
      }
    }
    for failure in failures { try invocation.console.printError(failure.line) }
    guard !copies.isEmpty else {
      throw Failure(
        .damaged, "no copy is sound, so that nothing could be saved; give further copies")
    }
    let all = try AutomergeDocument(copies, addition: "; nothing was written")
    let history: AutomergeHistory
    var repair = AgendaRepair(all.state)
    do throws(AutomergeError) {
      history = try repair.repaired() ?? all.history
    } catch {
      throw error.failure(in: output, "; nothing was written")
    }
    _ = try DocumentFile(output, from: files, invocation)(expecting: .absent) { _ in
      let bytes = all.bytes(with: AutomergeState(history))
      return DocumentFile.Proposal(bytes, report: ()) { bytes, file in
        try AutomergeDocument.check(bytes, Set(history.numbers.keys), file)
      }
    }
    let verb = invocation.isTrial ? "would save" : "saved"
    let what = repair.fixes.isEmpty ? "; no agenda item was mixed up" : ""
    try invocation.console.report(
      "\(output.outputName): \(verb) \(counted(all.history.order.count, "change"))\(what)")
    for fix in repair.fixes { try invocation.console.report("  " + fix) }
    return failures.isEmpty ? .done : .different
  }
}
