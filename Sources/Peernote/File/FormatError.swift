import PeernoteCBOR

/// Why bytes are not a document that this version can read.
package struct FormatError: Error, Hashable, Sendable {
  /// What a program has to do about it.
  package enum Kind: Hashable, Sendable {
    /// The bytes are no sound document.
    case damaged
    /// The document needs a newer version of this library.
    case newerFormat
    /// The document is larger or deeper than this version allows.
    case limit
  }

  /// The part of the file where the fault lies.
  package enum Section: String, CaseIterable, Hashable, Sendable {
    case envelope, heads, view, log, passages, checksum
    /// No part of a file: changes that are sent by themselves.
    case delta
  }

  package var kind: Kind
  package var section: Section
  /// The offset in the file of the item or row concerned; `nil` if it has no place of its own.
  package var offset: Int?
  /// The change concerned, where one is known.
  package var change: ChangeID?
  /// A clause for people.
  package var reason: String

  package init(
    _ reason: String, kind: Kind = .damaged, in section: Section, at offset: Int? = nil,
    change: ChangeID? = nil
  ) {
    self.kind = kind
    self.section = section
    self.offset = offset
    self.change = change
    self.reason = reason
  }

  init(_ error: CBORError, in section: Section) {
    self.init(error.reason.description, in: section, at: error.offset)
  }

  /// Names the change that a contradiction in a history is about.
  package init(_ error: HistoryError, in log: Log, section: Section = .log) {
    self.init(
      error.reason.description, kind: error.reason.isLimit ? .limit : .damaged, in: section,
      change: error.event.flatMap { event in
        event >= 0 && event < log.graph.eventCount ? log.changeID(of: event) : nil
      })
  }
}

/// Runs a piece of reading; errors of single CBOR items become errors of a section.
func reading<Result>(
  _ section: FormatError.Section, _ body: () throws -> Result
) throws(FormatError) -> Result {
  do {
    return try body()
  } catch let error as CBORError {
    throw FormatError(error, in: section)
  } catch let error as FormatError {
    throw error
  } catch {
    preconditionFailure("reading throws no other errors: \(error)")
  }
}
