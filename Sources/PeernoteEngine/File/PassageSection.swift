import PeernoteCBOR

/// The section that says where a text shows something else than its history adds up to.
///
/// For each text with passages, ascending: the container's number, and for each passage in order
/// how many scalars of the shown text stand between the one before and it, how many it has there,
/// the raw text, the changes whose reading is shown, and the other readings, each with its text and
/// its changes. Changes are named by their number in the log.
enum PassageSection {
  // MARK: Writing

  /// Writes the section; O(bytes).
  static func write(
    _ passages: [ContainerIndex: [TextPassage]], raw texts: [TextBuffer], of log: Log,
    to writer: inout CBORWriter
  ) {
    let numbers = ChangeNumbers(log)
    func changes(_ names: [ChangeID]) {
      let found = names.compactMap { numbers[$0] }.sorted()
      writer.arrayHeader(found.count)
      for number in found { writer.unsigned(UInt64(number.rawValue)) }
    }
    writer.arrayHeader(passages.count)
    for (container, passages) in passages.sorted(by: { $0.key < $1.key }) {
      writer.arrayHeader(2)
      writer.unsigned(UInt64(container.rawValue))
      writer.arrayHeader(passages.count)
      let raw = texts[container]
      var end = 0
      var place = TextPlace()
      for (passage, shown) in zip(passages, PassageMap(passages).shownRanges) {
        writer.arrayHeader(5)
        writer.unsigned(UInt64(shown.lowerBound - end))
        writer.unsigned(UInt64(shown.count))
        end = shown.upperBound
        let start = raw.place(ofScalar: passage.raw.lowerBound, from: place)
        place = raw.place(ofScalar: passage.raw.upperBound, from: start)
        writer.text(utf8: raw.utf8.span.extracting(start.byte..<place.byte))
        changes(passage.shown.changes)
        writer.arrayHeader(passage.others.count)
        for reading in passage.others {
          writer.arrayHeader(2)
          writer.text(utf8: reading.text.utf8.span)
          changes(reading.changes)
        }
      }
    }
  }

  // MARK: Reading

  /// Reads the raw texts and the passages by container number, if there is a section; O(bytes).
  static func read(
    _ envelope: Envelope, of log: Log, shown: [TextBuffer]
  ) throws(DocumentError) -> (texts: [TextBuffer], passages: [ContainerIndex: [TextPassage]]) {
    if envelope.passages.isEmpty { return (shown, [:]) }
    var reader = CBORReader(envelope.bytes, range: envelope.passages)
    return try reading(.passages) {
      var texts = shown
      var passages: [ContainerIndex: [TextPassage]] = [:]
      var previous = -1
      let count = try reader.readArrayHeader()
      if count == 0 { throw CBORError("a section of passages without any", at: reader.offset) }
      for _ in 0..<count {
        try reader.readArrayHeader(count: 2)
        let container = Int(try reader.readUnsigned(limit: UInt64(log.containers.count - 1)))
        guard container > previous, log.containers[container].kind == .text else {
          throw CBORError("passages out of order, or not of a text", at: reader.offset)
        }
        previous = container
        let found = try reader.readPassages(of: shown[container], in: log)
        texts[container] = found.raw
        passages[ContainerIndex(container)] = found.passages
      }
      let scalars = texts.reduce(0) { $0 + $1.scalarCount }
      guard scalars <= log.limits.events else {
        throw DocumentError(
          "longer texts than the limit", kind: .limit, in: .passages, at: reader.offset)
      }
      return (texts, passages)
    }
  }
}

extension CBORReader {
  /// Reads the raw text and the passages of a text.
  fileprivate mutating func readPassages(
    of shown: TextBuffer, in log: Log
  ) throws(CBORError) -> (raw: TextBuffer, passages: [TextPassage]) {
    var raw = TextBuffer()
    var place = TextPlace()
    var result: [TextPassage] = []
    let count = try readArrayHeader()
    if count == 0 { throw CBORError("a text with no passages", at: offset) }
    for _ in 0..<count {
      try readArrayHeader(count: 5)
      let gap = Int(try readUnsigned(limit: UInt64(shown.scalarCount - place.scalar)))
      let start = shown.place(ofScalar: place.scalar + gap, from: place)
      let length = Int(try readUnsigned(limit: UInt64(shown.scalarCount - start.scalar)))
      let end = shown.place(ofScalar: start.scalar + length, from: start)
      raw.append(shown, from: place, to: start)
      place = end
      let union = try readBuffer()
      guard union.scalarCount > 0 else { throw CBORError("a passage without raw text", at: offset) }
      let first = raw.scalarCount
      raw.append(union)
      var text = TextBuffer()
      text.append(shown, from: start, to: end)
      let changes = try readChanges(of: log)
      var others: [TextPassage.Reading] = []
      for _ in 0..<(try readArrayHeader()) {
        try readArrayHeader(count: 2)
        others.append(
          TextPassage.Reading(text: try readBuffer(), changes: try readChanges(of: log)))
      }
      result.append(
        TextPassage(
          raw: first..<first + union.scalarCount,
          shown: TextPassage.Reading(text: text, changes: changes), others: others))
    }
    raw.append(shown, from: place, to: shown.end)
    return (raw, result)
  }

  private mutating func readBuffer() throws(CBORError) -> TextBuffer {
    let range = try readText()
    return TextBuffer(validated: Array(bytes[range]))
  }

  /// Reads the numbers of changes, ascending; at least one.
  private mutating func readChanges(of log: Log) throws(CBORError) -> [ChangeID] {
    var result: [ChangeID] = []
    var previous = -1
    for _ in 0..<(try readArrayHeader()) {
      let number = Int(try readUnsigned(limit: UInt64(log.changeCount - 1)))
      guard number > previous else { throw CBORError("changes out of order", at: offset) }
      previous = number
      result.append(log.changeID(ofChange: ChangeIndex(number)))
    }
    if result.isEmpty { throw CBORError("a reading by nobody", at: offset) }
    return result
  }
}
