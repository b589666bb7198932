import PeernoteCBOR
package import PeernoteEngine

/// Reads the texts out of the view section of a file whose log is known.
///
/// Goes over the view and the objects of the log side by side; both have to say the same.
package struct ViewReader {
  private let objects: Objects
  private var reader: ValueReader
  private var texts: [TextBuffer]
  private var isShown: [Bool]

  /// The texts of a file by container number.
  ///
  /// O(n log n).
  ///
  /// - Throws: ``FormatError`` where the view is not what the log says.
  package static func readTexts(
    _ envelope: Envelope, of objects: Objects
  ) throws(FormatError) -> [TextBuffer] {
    var view = ViewReader(
      objects: objects,
      reader: ValueReader(
        reader: CBORReader(envelope.bytes, range: envelope.view), section: .view),
      texts: [TextBuffer](repeating: TextBuffer(), count: objects.log.containers.count),
      isShown: [Bool](repeating: false, count: objects.log.containers.count))
    try view.expect(.array(count: 2))
    try view.readContainer(0)
    let removed = objects.log.containers.indices.filter {
      objects.log.containers[$0].kind == .text && !view.isShown[$0]
    }
    try view.expect(.array(count: removed.count))
    for container in removed { try view.readText(of: container) }
    return view.texts
  }

  private mutating func readContainer(_ number: Int32) throws(FormatError) {
    switch objects.log.containers[Int(number)].kind {
    case .map:
      let children = objects.children(ofMap: number)
      try expect(.map(count: children.count))
      for child in children {
        let start = reader.offset
        guard
          case .value(.string(let key)) = try reader.readContent(),
          key.utf8.elementsEqual(objects.log.keys[Int(child.key)].utf8)
        else { throw disagreement(at: start) }
        try readChild(child)
      }
    case .list:
      let children = objects.children(ofList: number)
      try expect(.array(count: children.count))
      for child in children { try readChild(child) }
    case .text:
      try expect(.tag(Format.textTag))
      isShown[Int(number)] = true
      try readText(of: Int(number))
    case .set:
      let members = objects.members(ofSet: number).sortedByEncoding()
      try expect(.tag(Format.setTag))
      try expect(.array(count: members.count))
      for member in members { try expect(member) }
    case .counter:
      try expect(.tag(Format.counterTag))
      try expect(.integer(objects.value(ofCounter: number)))
    }
  }

  private mutating func readChild(_ child: Objects.Child) throws(FormatError) {
    guard let entry = child.resolved.shown else {
      preconditionFailure("a child that is shown has content")
    }
    switch objects.log.contents[Int(entry.content)] {
    case .container:
      guard let number = objects.container(createdBy: entry.event) else {
        preconditionFailure("a write that creates a container has a container")
      }
      try readContainer(number)
    case .value(.bytes(let bytes)) where bytes.count >= Format.referencedByteCount:
      try expect(.tag(Format.byteReferenceTag))
      try expect(.unsigned(UInt64(entry.content)))
    case .value(let value):
      try expect(value)
    }
  }

  private mutating func readText(of container: Int) throws(FormatError) {
    let start = reader.offset
    guard case .text(let range) = try reader.nextItem() else { throw disagreement(at: start) }
    let items = reader.reader
    try reading(.view) { try items.checkText(range) }
    texts[container] = TextBuffer(validated: Array(items.bytes[range]))
  }

  private mutating func expect(_ item: CBORItem) throws(FormatError) {
    let start = reader.offset
    guard try reader.nextItem() == item else { throw disagreement(at: start) }
  }

  private mutating func expect(_ value: Value) throws(FormatError) {
    let start = reader.offset
    guard try reader.readValue() == value else { throw disagreement(at: start) }
  }

  private func disagreement(at offset: Int) -> FormatError {
    FormatError(HistoryError.Reason.viewDisagrees.description, in: .view, at: offset)
  }
}
