import PeernoteCBOR

extension DocumentError {
  init(_ error: CBORError, in section: Section) {
    self.init(error.reason.description, in: section, at: error.offset)
  }

  /// Names the change that a contradiction in a history is about; without the log none.
  package init(_ error: HistoryError, in log: Log = Log(), section: Section = .log) {
    self.init(
      error.reason.description, kind: error.reason.isLimit ? .limit : .damaged, in: section,
      change: error.event.flatMap { event in
        event.isEvent && event < log.graph.end ? log.changeID(of: event) : nil
      })
  }
}

/// Runs a piece of reading; errors of single CBOR items become errors of a section.
func reading<Result>(
  _ section: DocumentError.Section, _ body: () throws -> Result
) throws(DocumentError) -> Result {
  do {
    return try body()
  } catch let error as CBORError {
    throw DocumentError(error, in: section)
  } catch let error as DocumentError {
    throw error
  } catch {
    preconditionFailure("reading throws no other errors: \(error)")
  }
}
