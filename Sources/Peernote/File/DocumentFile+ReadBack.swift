import PeernoteCBOR

/// How much of a file was read to see what it says.
package struct ReadingBack: Hashable, Sendable {
  /// The bytes of the view and of the log's largest columns that were decoded.
  package var decoded: Int
  /// Those that were only compared with the file that the document was read from.
  package var compared: Int
}

extension DocumentFile {
  /// Reads what was written of the document, and checks that it says the same.
  ///
  /// What the file has in the same bytes as the one that the document was read from, which was
  /// checked then, is compared with that; what differs is decoded, and compared with the document.
  /// O(n) for n bytes, of which most are compared only, and O(m log m) for m bytes that differ.
  ///
  /// `nil` if the document was not read from a file, or if what is read is not the same. Throws if
  /// the bytes cannot be read.
  package func readBack(_ bytes: [UInt8]) throws(DocumentError) -> ReadingBack? {
    guard let layout else { return nil }
    let limits = log.limits
    let envelope = try Envelope(bytes, limits: limits)
    let (read, newLayout, known) = try LogReader.read(
      envelope, beside: LaidOutLog(log, in: layout),
      limits: limits)
    guard envelope.id == id, envelope.unknownSections == unknownSections,
      read.isSame(as: log, after: known)
    else { return nil }
    let kept = KeptView(of: layout, after: known, in: read, contested: passages.keys)
    let objects: Objects
    do throws(HistoryError) {
      objects = try Objects(of: read, only: kept.needed)
    } catch {
      throw DocumentError(error, in: read, layout: newLayout)
    }
    let view = try ViewReader.readTexts(envelope, of: objects, beside: kept, texts: texts)
    let content = try PassageSection.read(envelope, of: read, shown: view.texts)
    let isSame =
      content.passages == passages
      && zip(content.texts, texts).allSatisfy { $0.isSame(as: $1) }
    if !isSame { return nil }
    let mark = newLayout.marks[known.chains]
    let columns = newLayout.columns
    let total =
      envelope.view.count + columns.chains.count + columns.operations.count + columns.values.count
    let compared =
      view.compared + Int(mark.chains) + Int(mark.operations) + Int(mark.values)
    return ReadingBack(decoded: total - compared, compared: compared)
  }
}

extension Log {
  /// Whether another log says the same, when their first chains are known to.
  ///
  /// O(n), most of it comparing memory.
  fileprivate func isSame(as other: Log, after known: LogPrefix) -> Bool {
    agents == other.agents && Self.isSame(authors, other.authors)
      && Self.isSame(messages, other.messages) && Self.isSame(keys, other.keys)
      && headChanges == other.headChanges && eventCounts == other.eventCounts
      && metadata == other.metadata && containers == other.containers
      && operations == other.operations && deletedText == other.deletedText
      && contents.count == other.contents.count
      && contents[known.contents...].elementsEqual(other.contents[known.contents...])
  }

  private static func isSame(_ ours: [String], _ theirs: [String]) -> Bool {
    ours.count == theirs.count
      && zip(ours, theirs).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}
