import AutomergeFormat
import Peernote
import PeernoteJSON

/// Copies of Automerge documents, read together.
struct AutomergeCopies {
  let copies: [AutomergeCopy]
  let history: AutomergeHistory

  /// Reads copies, which must be of one document.
  ///
  /// - Throws: ``Failure``: different documents by their envelopes, no change in common, a fork, or
  ///   damage with the file and the place.
  init(_ copies: [AutomergeCopy]) throws(Failure) {
    self.copies = copies
    do {
      history = try AutomergeHistory(copies.map(\.container.source))
    } catch {
      let file = error.copy.map { copies[$0].file }
      throw error.failure(in: file ?? copies.first?.file, "; nothing was written")
    }
    try checkEnvelopes()
    try checkHistories()
  }

  /// Takes the bytes of a file for a copy of an Automerge document.
  static func copy(
    _ bytes: [UInt8], from file: FileName, beside base: AutomergeCopy
  ) throws(Failure) -> AutomergeCopy {
    guard let copy = try AutomergeCopy(bytes, from: file, addition: "; nothing was written") else {
      throw Failure(
        .notSameDocument,
        "\(file.inputName) is no \(base.form.rawValue) document as \(base.file.inputName) is"
          + "; nothing was written")
    }
    return copy
  }

  /// The envelope of the result; `nil` if no copy has one.
  var envelope: MeetingNotesEnvelope? { copies.lazy.compactMap(\.container.envelope).first }

  private func checkEnvelopes() throws(Failure) {
    guard let base = copies.first(where: { $0.form == .meetingNotes }),
      let id = base.container.envelope?.id
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
    while true {
      let sharing = left.filter { index in
        history.copies[index].changes.isEmpty || known.isEmpty
          || history.copies[index].changes.contains { known.contains($0) }
      }
      if sharing.isEmpty { break }
      for index in sharing { known.formUnion(history.copies[index].changes) }
      left.removeAll { sharing.contains($0) }
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
