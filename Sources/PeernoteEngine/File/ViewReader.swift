import PeernoteCBOR

/// Reads the texts out of the view section of a file whose log is known: goes over the view and the
/// objects of the log side by side, which have to say the same.
package struct ViewReader {
  private let objects: Objects
  private var reader: CBORReader
  /// The texts that were read, and where they stand in the file.
  private var found: [(container: ContainerIndex, offset: Int32, text: TextBuffer)] = []
  /// Which containers stand in the root, of those that are only compared.
  private var isCompared: [Bool]
  /// Where the larger containers stand.
  private var larger: [(container: ContainerIndex, range: Range<Int32>)] = []
  /// How many containers are open.
  private var depth = 0
  /// Whether another half of a large container is read at the same time.
  private var isHalf = false
  /// What stands in another file in the same bytes, and has only to be compared.
  private var kept: KeptView?
  private var compared = 0
  /// Values that are not what the log says, if they are collected.
  private var wrongValues: [DocumentError]?
  /// Where the bytes of each text stand, if they are only looked for, be they UTF-8 or not.
  private var places: [ContainerIndex: Range<Int>]?

  /// The texts of a file by container number, where its larger containers stand, and how many bytes
  /// were only compared with another file.
  ///
  /// What is kept of that is compared: `objects` need to know the containers alone that are
  /// ``KeptView/needed`` then, and nobody edited its `texts` since, which stand by container number.
  /// O(n log n). Throws where the view is not what the log says, or what the other file has.
  static func readTexts(
    _ envelope: Envelope, of objects: Objects, beside kept: KeptView? = nil,
    texts: [TextBuffer] = []
  ) throws(DocumentError) -> (texts: [TextBuffer], layout: ViewLayout, compared: Int) {
    var view = ViewReader(envelope.bytes, view: envelope.view, of: objects)
    view.kept = kept
    let removed = try view.readAll()
    let layout = ViewLayout(
      view.larger, containers: view.isCompared.count, removedTexts: removed)
    return (view.texts(besideThose: texts), layout, view.compared)
  }

  /// Reads the texts of a file and notes where the view is not what the log says: all values that
  /// are others, and the first place where the structure is another one.
  ///
  /// Gives the texts by container number, and where they stand in the file; `nil` if the structure
  /// is another one.
  static func check(
    _ envelope: Envelope, of objects: Objects, _ faults: inout [DocumentError]
  ) -> (texts: [TextBuffer], offsets: [Int32])? {
    var view = ViewReader(envelope.bytes, view: envelope.view, of: objects)
    view.wrongValues = []
    defer { faults += view.wrongValues ?? [] }
    do throws(DocumentError) {
      _ = try view.readAll()
      return (view.texts(), view.offsets)
    } catch {
      view.wrongValues?.append(error)
      return nil
    }
  }

  /// Finds the bytes of the texts in what is left of a view, up to where its structure is lost.
  package static func salvage(
    _ bytes: [UInt8], view: Range<Int>, of objects: Objects
  ) -> [ContainerIndex: Range<Int>] {
    var reader = ViewReader(bytes, view: view, of: objects)
    reader.wrongValues = []
    reader.places = [:]
    _ = try? reader.readAll()
    return reader.places ?? [:]
  }

  private init(_ bytes: [UInt8], view: Range<Int>, of objects: Objects) {
    self.objects = objects
    reader = CBORReader(bytes, range: view)
    isCompared = [Bool](repeating: false, count: objects.log.containers.count)
  }

  /// The texts by container number, with those that were not read.
  private func texts(besideThose others: [TextBuffer] = []) -> [TextBuffer] {
    var result = others
    if result.isEmpty {
      result = [TextBuffer](repeating: TextBuffer(), count: isCompared.count)
    }
    for text in found { result[text.container] = text.text }
    return result
  }

  /// Where each text that was read stands in the file, by container number.
  private var offsets: [Int32] {
    var result = [Int32](repeating: 0, count: isCompared.count)
    for text in found { result[text.container] = text.offset }
    return result
  }

  /// Reads the view; gives the texts that stand in no container that is shown.
  private mutating func readAll() throws(DocumentError) -> [ContainerIndex] {
    let removed = try reading(.view) {
      try expect(.array(count: 2))
      try readContainer(.root, of: objects)
      var isShown = isCompared
      for text in found { isShown[text.container] = true }
      for text in (places ?? [:]).keys { isShown[text] = true }
      let removed = objects.log.removedTexts(isShown, beside: kept)
      try expect(.array(count: removed.count))
      for container in removed { try readText(of: container) }
      return removed
    }
    // Whoever reads on takes the lengths of texts for numbers of events.
    let scalars = found.reduce(0) { $0 + $1.text.scalarCount }
    guard scalars <= objects.log.limits.events else {
      throw DocumentError(
        "longer texts than the limit", kind: .limit, in: .view,
        at: Int(found.map(\.offset).max() ?? 0))
    }
    return removed
  }

  /// Reads a container; the objects are passed on, since they would be copied if they were taken
  /// from the reader, which changes.
  private mutating func readContainer(
    _ number: ContainerIndex, of objects: Objects
  ) throws(CBORError) {
    let start = reader.offset
    if let kept, let place = kept.place(of: number) {
      isCompared[number] = true
      compared += place.count
      guard passes(kept.bytes.span.extracting(place)) else { throw disagreement(at: start) }
      return
    }
    depth += 1
    try readContent(of: number, in: objects)
    if depth <= ViewLayout.depth, number != .root,
      reader.offset - start >= objects.log.limits.copiedContainerSize
    {
      larger.append((number, Int32(start)..<Int32(reader.offset)))
    }
    depth -= 1
  }

  /// Goes on behind bytes if they stand next.
  private mutating func passes(_ bytes: Span<UInt8>) -> Bool {
    let start = reader.offset
    guard bytes.count <= reader.remaining,
      reader.bytes.span.extracting(start..<start + bytes.count).isSame(as: bytes)
    else { return false }
    reader.pass(bytes.count)
    return true
  }

  private mutating func readContent(
    of number: ContainerIndex, in objects: Objects
  ) throws(CBORError) {
    switch objects.log.containers[number].kind {
    case .map:
      let entries = objects.entries(ofMap: number)
      try expect(.map(count: entries.count))
      try forEach(entries, items: 2) { (reader, entry) throws(CBORError) in
        try reader.expectKey(objects.log.keys[entry.key])
        try reader.read(entry.entry, of: objects)
      }
    case .list:
      let entries = objects.entries(ofList: number)
      try expect(.array(count: entries.count))
      try forEach(entries, items: 1) { (reader, entry) throws(CBORError) in
        try reader.read(entry, of: objects)
      }
    case .text:
      try expect(.tag(Format.textTag))
      try readText(of: number)
    case .set:
      try expect(.tag(Format.setTag))
      try readMembers(of: number)
    case .counter:
      try expect(.tag(Format.counterTag))
      try expect(.integer(objects.value(ofCounter: number)))
    }
  }

  /// Containers of so many entries are read by halves at the same time.
  private static let manyEntries = 4096

  /// Reads the entries of a container, each so many items.
  private mutating func forEach<Entry>(
    _ entries: [Entry], items: Int,
    _ read: (inout ViewReader, Entry) throws(CBORError) -> Void
  ) throws(CBORError) {
    var start = 0
    if entries.count >= Self.manyEntries, !isHalf, kept == nil, wrongValues == nil, places == nil {
      start = try readByHalves(entries, items, read)
    }
    for entry in entries[start...] { try read(&self, entry) }
  }

  /// Reads the second half of the entries beside the first one, which is passed over for that, and
  /// gives how many were read; what cannot be passed over has to be read one after the other.
  private mutating func readByHalves<Entry>(
    _ entries: [Entry], _ items: Int,
    _ read: (inout ViewReader, Entry) throws(CBORError) -> Void
  ) throws(CBORError) -> Int {
    let middle = entries.count / 2
    var half = self
    half.isHalf = true
    half.found = []
    half.larger = []
    func readHalf(
      _ part: ArraySlice<Entry>, passing count: Int
    ) -> Result<ViewReader, CBORError>? {
      var view = half
      for _ in 0..<count {
        let passed = try? view.reader.skipItem(depthLimit: Envelope.greatestDepth)
        if passed == nil { return nil }
      }
      return Result { () throws(CBORError) in
        for entry in part { try read(&view, entry) }
        return view
      }
    }
    let halves = inParallel(if: true) {
      readHalf(entries[..<middle], passing: 0)
    } _: {
      readHalf(entries[middle...], passing: items * middle)
    }
    var end = 0
    for case (let half?, let count) in [(halves.0, middle), (halves.1, entries.count)] {
      let half = try half.get()
      reader = half.reader
      found += half.found
      larger += half.larger
      end = count
    }
    return end
  }

  private mutating func read(
    _ entry: Objects.Entry, of objects: Objects
  ) throws(CBORError) {
    if let number = objects.container(of: entry) {
      try readContainer(number, of: objects)
    } else if objects.log.contents.isReferenced(entry.content) {
      try expect(.tag(Format.byteReferenceTag))
      try expect(.unsigned(UInt64(entry.content.rawValue)))
    } else {
      try expect(entry.content, of: objects.log.contents)
    }
  }

  /// Reads the members of a set, which ascend by their bytes.
  private mutating func readMembers(of set: ContainerIndex) throws(CBORError) {
    let count = objects.memberCount(ofSet: set)
    try expect(.array(count: count))
    let bytes = reader.bytes
    var before: ArraySlice<UInt8> = []
    for _ in 0..<count {
      let start = reader.offset
      let member = try reader.readValue()
      let encoding = bytes[start..<reader.offset]
      if objects.contains(member, set: set), before.lexicographicallyPrecedes(encoding) {
        before = encoding
      } else {
        try refuse(at: start)
      }
    }
  }

  private mutating func readText(of container: ContainerIndex) throws(CBORError) {
    let start = reader.offset
    guard case .text(let range) = try reader.nextItem() else { throw disagreement(at: start) }
    if places != nil {
      places?[container] = range
      return
    }
    try reader.checkText(range)
    found.append((container, Int32(start), TextBuffer(validated: Array(reader.bytes[range]))))
  }

  private mutating func expectKey(_ key: String) throws(CBORError) {
    let start = reader.offset
    if passes(reader.size(ofText: key.utf8.span)) { return }
    guard case .text(let found) = try reader.nextItem() else { throw disagreement(at: start) }
    try reader.checkText(found)
    throw disagreement(at: start)
  }

  /// Reads a value, which has to be one of the log's contents; none is made of it.
  private mutating func expect(
    _ value: ContentIndex, of contents: ContentTable
  ) throws(CBORError) {
    if passes(contents.encoded.bytes.span.extracting(contents.place(of: value))) { return }
    let start = reader.offset
    _ = try reader.readValue()
    try refuse(at: start)
  }

  /// Goes on behind an item that is what it should be; false if it is not, and has no size.
  private mutating func passes(_ size: Int) -> Bool {
    reader.pass(size)
    return size > 0
  }

  private mutating func expect(_ item: CBORItem) throws(CBORError) {
    if passes(reader.size(of: item)) { return }
    let start = reader.offset
    guard try reader.nextItem() == item else { throw disagreement(at: start) }
  }

  private mutating func expect(_ value: Value) throws(CBORError) {
    let start = reader.offset
    if try reader.readValue() != value { try refuse(at: start) }
  }

  /// Says that a value is not what the log says: notes it where values are collected.
  private mutating func refuse(at offset: Int) throws(CBORError) {
    let fault = disagreement(at: offset)
    guard wrongValues != nil else { throw fault }
    wrongValues?.append(DocumentError(fault, in: .view))
  }

  private func disagreement(at offset: Int) -> CBORError {
    CBORError(HistoryError.Reason.viewDisagrees.description, at: offset)
  }
}
