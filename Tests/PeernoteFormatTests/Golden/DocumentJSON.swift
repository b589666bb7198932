import Peernote

/// What a file holds, in the form that `Tests/Tools/read_peernote.py` prints and documents.
enum DocumentJSON {
  /// Reads a file with the library and tells what it holds.
  static func describe(_ bytes: [UInt8]) throws -> JSONText {
    let file = try DocumentFile(bytes)
    let document = try Document(bytes: bytes)
    var content = ContentTeller(file)
    let root = content.node(ofContainer: .root, path: "")
    let passages = describePassages(of: file)
    return .object(
      [
        ("identifier", .string(file.id.description)),
        ("heads", .array(document.heads.map { .string($0.description) })),
        ("content", root),
        ("conflicts", .array(content.conflicts)),
        ("removed", .array(content.removed)),
        ("changes", .array(try document.exportedChanges.map(describe))),
        (
          "optional",
          .array(
            file.unknownSections.map {
              .array([.number(Int($0.number)), .string(hexadecimal($0.content))])
            })
        ),
      ] + (passages.isEmpty ? [] : [("passages", .array(passages))]))
  }

  /// The passages of all texts: the container, where it stands in the shown text, the raw text and
  /// the readings, each with its changes.
  private static func describePassages(of file: DocumentFile) -> [JSONText] {
    file.passages.sorted { $0.key < $1.key }.flatMap { number, passages in
      let raw = Array(file.texts[number].string.unicodeScalars)
      func describe(_ reading: TextPassage.Reading) -> JSONText {
        .object([
          ("text", .string(reading.text.string)),
          ("changes", .array(reading.changes.map { .string($0.description) })),
        ])
      }
      return zip(passages, PassageMap(passages).shownRanges).map { passage, shown -> JSONText in
        var text = String.UnicodeScalarView()
        text.append(contentsOf: raw[passage.raw])
        return .object([
          ("container", .number(Int(number.rawValue))), ("at", .number(shown.lowerBound)),
          ("raw", .string(String(text))), ("shown", describe(passage.shown)),
          ("others", .array(passage.others.map(describe))),
        ])
      }
    }
  }

  static func describe(_ value: Value) -> JSONText {
    switch value {
    case .null: .object([("null", .null)])
    case .bool(let flag): .object([("bool", .bool(flag))])
    case .integer(let number): .object([("integer", .string(String(number)))])
    case .double(let number): .object([("double", .string(bits(number)))])
    case .string(let string): .object([("string", .string(string))])
    case .bytes(let bytes): .object([("bytes", .string(hexadecimal(bytes)))])
    case .timestamp(let time): .object([("timestamp", .string(String(time.milliseconds)))])
    case .uuid(let id): .object([("uuid", .string(id.description))])
    }
  }

  private static func bits(_ number: Double) -> String {
    let pattern = number.isNaN ? 0x7FF8_0000_0000_0000 : number.bitPattern
    return hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: pattern >> (56 - 8 * $0)) })
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private static func describe(_ content: Content) -> JSONText {
    switch content {
    case .value(let value): describe(value)
    case .container(.map): .object([("map", .array([]))])
    case .container(.list): .object([("list", .array([]))])
    case .container(.text): .object([("text", .string(""))])
    case .container(.set): .object([("set", .array([]))])
    case .container(.counter): .object([("counter", .string("0"))])
    }
  }

  private static func describe(_ change: Change) -> JSONText {
    .object([
      ("change", .string(change.id.description)),
      ("parents", .array(change.parents.map { .string($0.description) })),
      ("time", .string(String(change.time.milliseconds))),
      ("author", .string(change.author)),
      ("message", describe(change.message)),
      ("edits", .array(change.edits.map(describe))),
    ])
  }

  private static func describe(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

  private static func describe(_ event: EventID?) -> JSONText { describe(event?.description) }

  private static func describe(_ edit: Edit) -> JSONText {
    let (key, text) = (("key", JSONText.string(edit.key.string)), describe(edit.text?.string))
    let (element, position) = (("element", describe(edit.element)), JSONText.number(edit.position))
    let contents = edit.contents.map { describe($0) }
    return switch edit.kind {
    case .insertText: members("insert text", edit, [("at", position), ("text", text)])
    case .deleteForward, .deleteBackward:
      members(
        "delete text", edit,
        [
          ("at", position), ("count", .number(edit.count)),
          ("backward", .bool(edit.kind == .deleteBackward)), ("text", text),
        ])
    case .put: members("put", edit, [key, ("content", contents[0])])
    case .remove: members("remove", edit, [key])
    case .insertElements:
      members("insert elements", edit, describe(edit.place) + [("contents", .array(contents))])
    case .putElement: members("put element", edit, [element, ("content", contents[0])])
    case .moveElement: members("move element", edit, [element] + describe(edit.place))
    case .removeElement: members("remove element", edit, [element])
    case .add: members("add", edit, [("value", contents[0])])
    case .discard: members("discard", edit, [("value", contents[0])])
    case .increment: members("increment", edit, [("value", contents[0])])
    }
  }

  private static func describe(_ place: ListPlace) -> [(name: String, value: JSONText)] {
    [("left", describe(place.left)), ("right", describe(place.right))]
  }

  private static func members(
    _ name: String, _ edit: Edit, _ members: [(name: String, value: JSONText)]
  ) -> JSONText {
    let container =
      switch edit.container {
      case .root: "root"
      case .created(let event): event.description
      }
    return .object([("edit", .string(name)), ("in", .string(container))] + members)
  }
}

/// Tells the content of a document, and notes what is undecided on the way.
private struct ContentTeller {
  let objects: Objects
  let texts: [TextBuffer]
  private(set) var conflicts: [JSONText] = []
  private var shownTexts: Set<ContainerIndex> = []

  init(_ file: DocumentFile) {
    objects = file.objects
    texts = file.shownTexts
  }

  /// The texts that no call of `node` has told.
  var removed: [JSONText] {
    objects.log.containers.indices
      .filter {
        objects.log.containers[$0].kind == .text && !shownTexts.contains(ContainerIndex($0))
      }
      .map { .string(texts[$0].string) }
  }

  mutating func node(ofContainer number: ContainerIndex, path: String) -> JSONText {
    switch objects.log.containers[number].kind {
    case .map:
      var entries: [JSONText] = []
      for child in objects.children(ofMap: number) {
        let key = objects.log.keys[child.key]
        entries.append(
          .array([.string(key), node(of: child, path: "\(JSONPointer([key]))", below: path)]))
      }
      return .object([("map", .array(entries))])
    case .list:
      var elements: [JSONText] = []
      for (index, child) in objects.children(ofList: number).enumerated() {
        elements.append(node(of: child, path: "/\(index)", below: path))
      }
      return .object([("list", .array(elements))])
    case .text:
      shownTexts.insert(number)
      return .object([("text", .string(texts[number].string))])
    case .set:
      let members = objects.members(ofSet: number).sortedByEncoding()
      return .object([("set", .array(members.map { DocumentJSON.describe($0) }))])
    case .counter:
      return .object([("counter", .string(String(objects.value(ofCounter: number))))])
    }
  }

  private mutating func node(of child: Objects.Child, path: String, below: String) -> JSONText {
    guard let shown = child.resolved.shown else { return .null }
    let log = objects.log
    let others = child.resolved.others.map { log.eventID(of: $0.event) }
    let survived = shown.isKept || child.overriddenRemoval != nil
    if survived || !others.isEmpty {
      conflicts.append(
        .object([
          ("path", .string(below + path)),
          ("shown", .string(log.eventID(of: shown.event).description)),
          ("others", .array(others.sorted().map { .string($0.description) })),
          ("survived", .bool(survived)),
        ]))
    }
    if case .value(let value) = log.contents[shown.content] {
      return DocumentJSON.describe(value)
    }
    guard let container = objects.container(createdBy: shown.event) else { return .null }
    return node(ofContainer: container, path: below + path)
  }
}
