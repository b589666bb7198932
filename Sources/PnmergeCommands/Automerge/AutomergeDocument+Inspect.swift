import AutomergeFormat
import Peernote
import PeernoteJSON

extension AutomergeDocument {
  /// What `inspect` says of it.
  var facts: [InspectedFact] {
    let held = history.copies[0]
    let version = envelope.map { ", envelope version \($0.version)" } ?? ""
    let heads = history.heads.map(\.description)
    let authors = ChangeTally(authors: history.order.lazy.map { history.author($0) }).authors
    let columns = held.unknownColumns.map(String.init)
    let facts: [InspectedFact?] = [
      InspectedFact("format", copy.form + version),
      InspectedFact("document", id.description),
      envelope.map { InspectedFact("identifier", Base58Check.encoded($0.id)) },
      InspectedFact("title", [state.root.title ?? ""], .optional(state.root.title)),
      InspectedFact("size", [counted(copy.bytes.count, "byte")], .count(copy.bytes.count)),
      InspectedFact(
        "chunks",
        held.chunks.map { "\($0.kind.words), \(counted($0.size, "byte")) at \($0.offset)" },
        .array(
          held.chunks.map {
            [
              "kind": .string($0.kind.words), "offset": .count($0.offset), "size": .count($0.size),
            ]
          })),
      InspectedFact("heads", heads, .array(heads.map(JSON.string))),
      InspectedFact("change_count", history.order.count),
      history.pending.isEmpty ? nil : InspectedFact("waiting_changes", history.pending.count),
      InspectedFact("operation_count", history.store.operations.count),
      InspectedFact(
        "authors", authors.map { "\($0.name), \(counted($0.count, "change"))" },
        .array(authors.map { ["name": .string($0.name), "changes": .count($0.count)] })),
      InspectedFact("conflicts", state.conflicts.count),
      columns.isEmpty
        ? nil
        : InspectedFact(
          "unknown_columns", [columns.joined(separator: " ")], .array(columns.map(JSON.string))),
    ]
    return facts.compactMap(\.self)
  }

  /// What is wrong with a file that can be read: a change that is not made upon what it builds on,
  /// unless it is to be `quick` or there are too many to tell, the shape that MeetingNotes needs, and a
  /// name that says something else than the bytes do.
  func findings(quick: Bool) -> [DocumentError] {
    guard !quick, let (change, base) = history.changeWithoutBase() else { return formFindings }
    let words =
      "change \(change.hash.shortText)… builds on \(base.hash.shortText)…, which does not come before it"
    return [DocumentError(words, in: .log)] + formFindings
  }

  private var formFindings: [DocumentError] {
    guard envelope != nil else {
      guard DocumentFormat(of: copy.file) == .meetingNotes else { return [] }
      return [
        DocumentError(
          "an Automerge document without the envelope of MeetingNotes; the app refuses it",
          in: .envelope, at: 0)
      ]
    }
    return MeetingNotesSchema.violations(in: state).map {
      DocumentError(
        "\(JSONPointer($0.path).visible) \($0.reason); the app cannot open it", in: "schema")
    }
  }

  /// What is unusual about it, and harms nobody.
  var remarks: [String] {
    let held = history.copies[0]
    var remarks: [String] = []
    if held.hasWrongHeadIndexes { remarks.append("says wrongly where its heads stand") }
    if !history.pending.isEmpty {
      remarks.append(
        "\(counted(history.pending.count, "change")) \(history.pending.count == 1 ? "waits" : "wait") "
          + "for others that are not here")
    }
    let unusual = history.changes.count(where: \.isUnusual)
    if unusual > 0 {
      remarks.append(
        "\(counted(unusual, "change")) \(unusual == 1 ? "is" : "are") written otherwise than Automerge "
          + "does, and kept so")
    }
    if let advice = AgendaRepair.advice(on: state, in: copy.file) { remarks.append(advice) }
    return remarks
  }
}

extension Chunk.Kind {
  /// What a chunk is, in words.
  fileprivate var words: String { self == .compressedChange ? "compressed change" : "\(self)" }
}
