import PeernoteCBOR

/// Writes the view section of a file: the current content, readable without the log.
struct ViewWriter {
  private let objects: Objects
  private let texts: [TextBuffer]
  /// What stands in a file in the same bytes already.
  private let kept: KeptView?
  /// Which containers stand in the root, of those that are texts or copied.
  private var isShown: [Bool]

  /// Writes the content of a document, with the texts by container number; O(n log n); what stands
  /// in a file in the same bytes is copied from there.
  static func write(
    _ objects: Objects, texts: [TextBuffer], copying kept: KeptView?, to writer: inout CBORWriter
  ) {
    var objects = objects
    objects.rankKeys()
    var view = ViewWriter(
      objects: objects, texts: texts, kept: kept,
      isShown: [Bool](repeating: false, count: objects.log.containers.count))
    writer.arrayHeader(2)
    view.container(.root, to: &writer)
    let removed = objects.log.removedTexts(view.isShown, beside: kept)
    writer.arrayHeader(removed.count)
    for container in removed {
      let text = texts[container]
      writer.text(utf8: text.utf8.span)
    }
  }

  private mutating func container(_ number: ContainerIndex, to writer: inout CBORWriter) {
    if let kept, let place = kept.place(of: number) {
      isShown[number] = true
      return writer.encoded(kept.bytes.span.extracting(place))
    }
    switch objects.log.containers[number].kind {
    case .map:
      let entries = objects.entries(ofMap: number)
      writer.mapHeader(entries.count)
      for (key, entry) in entries {
        writer.text(objects.log.keys[key])
        write(entry, to: &writer)
      }
    case .list:
      let entries = objects.entries(ofList: number)
      writer.arrayHeader(entries.count)
      for entry in entries { write(entry, to: &writer) }
    case .text:
      isShown[number] = true
      writer.tag(Format.textTag)
      let text = texts[number]
      writer.text(utf8: text.utf8.span)
    case .set:
      let members = objects.members(ofSet: number).sortedByEncoding()
      writer.tag(Format.setTag)
      writer.arrayHeader(members.count)
      for member in members { writer.value(member) }
    case .counter:
      writer.tag(Format.counterTag)
      writer.integer(objects.value(ofCounter: number))
    }
  }

  private mutating func write(_ entry: Objects.Entry, to writer: inout CBORWriter) {
    if let number = objects.container(of: entry) {
      container(number, to: &writer)
    } else if objects.log.contents.isReferenced(entry.content) {
      writer.tag(Format.byteReferenceTag)
      writer.unsigned(UInt64(entry.content.rawValue))
    } else {
      writer.content(entry.content, of: objects.log.contents)
    }
  }
}

extension [Value] {
  /// The values in the order of their encoded bytes, which is that of sets in a file.
  package func sortedByEncoding() -> [Value] {
    if count < 2 { return self }
    var writer = CBORWriter()
    var starts = [0]
    starts.reserveCapacity(count + 1)
    for value in self {
      writer.value(value)
      starts.append(writer.bytes.count)
    }
    let bytes = writer.bytes
    func encoding(_ index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<starts[index + 1]] }
    let order = indices.sorted { encoding($0).lexicographicallyPrecedes(encoding($1)) }
    return order.map { self[$0] }
  }
}
