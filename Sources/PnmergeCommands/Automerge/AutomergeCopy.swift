import AutomergeFormat
import Peernote
import PeernoteJSON

/// A file that holds an Automerge document, such as those of MeetingNotes.
struct AutomergeCopy {
  var file: FileName
  var bytes: [UInt8]
  var container: AutomergeFile

  /// What people call the form of the file.
  var form: String { container.envelope == nil ? "Automerge" : "MeetingNotes" }

  /// Whether a file is to be taken for such a document: what it begins with tells, and the name
  /// where that is nothing that is known.
  static func isMeant(by bytes: [UInt8], _ file: FileName) -> Bool {
    if AutomergeFile.begins(bytes) { return true }
    if DocumentHeads.isDocument(bytes) { return false }
    return hasName(file)
  }

  /// Whether a file is called as such documents are.
  static func hasName(_ file: FileName) -> Bool {
    DocumentFormat(of: file)?.isPlain == false
  }

  /// What such documents' names end in, behind a dot.
  static let endings = ["meetingnotes", "automerge"]

  /// Takes the bytes of a file apart, `nil` if they are meant as something else; what it throws ends
  /// with `addition`.
  init?(
    _ bytes: [UInt8], from file: FileName, addition: String? = nil
  ) throws(Failure) {
    guard Self.isMeant(by: bytes, file) else { return nil }
    self.file = file
    self.bytes = bytes
    do {
      container = try AutomergeFile(bytes)
    } catch {
      guard AutomergeFile.begins(bytes) else {
        let reason =
          bytes.isEmpty
          ? "is empty, not an Automerge document"
          : "is neither a MeetingNotes file nor another Automerge document"
        throw Failure(.damaged, file: file, reason + (addition ?? ""))
      }
      throw error.failure(in: file, addition)
    }
  }

  /// Likewise, if they have to be meant as an Automerge document.
  init(required bytes: [UInt8], from file: FileName, addition: String? = nil) throws(Failure) {
    guard let copy = try AutomergeCopy(bytes, from: file, addition: addition) else {
      throw Failure(.damaged, file: file, "is not an Automerge document" + (addition ?? ""))
    }
    self = copy
  }
}

extension AutomergeError {
  /// The failure to report when `file` holds no usable document; it ends with `addition`, or with
  /// what to do about damage.
  func failure(in file: FileName?, _ addition: String? = nil) -> Failure {
    let advice = kind == .damaged ? "; the file is damaged: take another copy" : ""
    return Failure(kind.status, file: file, description + (addition ?? advice))
  }
}

extension AutomergeError.Kind {
  /// The exit status for it.
  var status: ExitStatus {
    switch self {
    case .damaged, .limit: .damaged
    case .newerFormat: .newerFormat
    case .forked: .forkedHistory
    }
  }
}

/// An Automerge document that has been read from copies of it: its history, and what it shows.
struct AutomergeDocument {
  let copies: [AutomergeCopy]
  let state: AutomergeState

  /// The first copy.
  var copy: AutomergeCopy { copies[0] }
  var history: AutomergeHistory { state.history }
  /// The envelope of them all; `nil` if no copy has one.
  var envelope: MeetingNotesEnvelope? { copies.lazy.compactMap(\.container.envelope).first }
  /// The identity under which it is known here: that in its envelope, or else what follows from its
  /// first change, of several from the one with the least hash.
  var id: UniqueID {
    if let envelope { return UniqueID(bytes: envelope.id[...]) }
    let first = history.order.filter { history.parents[$0].isEmpty }
      .map { history.changes[$0].hash }.min()
    let id = UniqueID(bytes: first?.bytes.prefix(16) ?? [])
    // Version 8: made by a rule of one's own (RFC 9562, section 5.8).
    return UniqueID(
      high: id.high & ~0xF000 | 0x8000, low: id.low & ~(0b11 << 62) | (0b10 << 62))
  }

  /// The identity and the heads, under the names that they have here.
  var heads: DocumentHeads {
    let heads = history.heads(of: history.order).map { history.changeID($0) }
    return DocumentHeads(id: id, heads: heads.sorted())
  }

  /// Reads copies whole, which must be of one document by their envelopes, and have changes in common:
  /// O(n log n) for n operations; what is said of damage and forks ends with `addition`.
  init(_ copies: [AutomergeCopy], addition: String? = nil) throws(Failure) {
    self.copies = copies
    do throws(AutomergeError) {
      state = AutomergeState(try AutomergeHistory(copies.map(\.container.source)))
    } catch {
      throw error.failure(in: copies[error.copy ?? 0].file, addition)
    }
    if copies.count > 1 {
      try checkEnvelopes()
      try checkHistories()
    }
    guard state.depth <= AutomergeLimits.depth else {
      throw AutomergeError(
        .limit, "maps and lists nested deeper than \(AutomergeLimits.depth) levels"
      ).failure(in: copy.file, addition)
    }
  }

  /// Reads a file if it is meant as an Automerge document; `nil` if it is something else.
  init?(_ bytes: [UInt8], from file: FileName) throws(Failure) {
    guard let copy = try AutomergeCopy(bytes, from: file) else { return nil }
    try self.init([copy])
  }

  private func checkEnvelopes() throws(Failure) {
    guard let id = envelope?.id,
      let base = copies.first(where: { $0.container.envelope != nil })
    else { return }
    for copy in copies {
      guard let other = copy.container.envelope?.id, other != id else { continue }
      throw Failure(
        .notSameDocument,
        "\(copy.file.inputName) is a different document (\(Base58Check.encoded(other))), not a copy "
          + "of \(base.file.inputName) (\(Base58Check.encoded(id))); nothing was written")
    }
  }

  /// Copies hang together if each shares a change with another one that does.
  private func checkHistories() throws(Failure) {
    var known = Set(history.copies.first?.changes ?? [])
    var left = Array(history.copies.indices.dropFirst())
    func isShared(_ index: Int) -> Bool {
      let changes = history.copies[index].changes
      return changes.isEmpty || known.isEmpty || changes.contains(where: known.contains)
    }
    while let place = left.firstIndex(where: isShared) {
      known.formUnion(history.copies[left.remove(at: place)].changes)
    }
    guard let stranger = left.first else { return }
    throw Failure(
      .notSameDocument,
      "\(copies[stranger].file.inputName) has no change in common with "
        + "\(copies[0].file.inputName)"
        + (envelope == nil ? "" : ", though their envelopes name one document")
        + "; nothing was written")
  }
}

// MARK: - Names

extension AutomergeHistory {
  /// The agent that stands for an actor.
  func agent(_ actor: UInt32) -> AgentID {
    AgentID(digestOf: Array("automerge actor ".utf8) + actors.actors[Int(actor)])
  }

  /// The name under which a change is listed.
  func changeID(_ number: Int) -> ChangeID {
    ChangeID(agent: agent(changes[number].actor), sequence: changes[number].sequence)
  }

  /// Who made a change: the actor in hexadecimal digits.
  func author(_ number: Int) -> String { hexadecimal(actors.actors[Int(changes[number].actor)]) }

  /// When a change was made.
  func time(_ number: Int) -> Timestamp {
    let (milliseconds, overflow) = changes[number].time.multipliedReportingOverflow(by: 1000)
    return Timestamp(milliseconds: overflow ? 0 : milliseconds)
  }
}
