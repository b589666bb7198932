import ArgumentParser
import Peernote
import PeernoteJSON

/// Options that say how JSON that comes in is to be understood.
struct JSONReading: ParsableArguments {
  @Flag(help: ArgumentHelp("Read objects such as {\"$text\": \"…\"} as maps.", visibility: .hidden))
  var plain = false

  init() {}

  /// The option as if it had been given.
  init(plain: Bool) {
    self.plain = plain
  }

  /// The content that JSON stands for, where something of a shape stands.
  func node(
    _ json: JSON, _ matching: ContentMatching, shape: (DocumentNode) -> Shape
  ) throws(JSONError) -> DocumentNode {
    let node = try DocumentNode(json, as: plain ? .plain : .exact)
    return node.adapted(to: shape(node), matching)
  }

  /// Reads the JSON text of a file, `nil` for the command line, and takes out the version that it says
  /// it holds.
  func parsed(
    _ text: String, from file: FileName?, into room: JSONRoom, _ console: Console
  ) throws(Failure) -> (json: JSON, mark: VersionMark?) {
    do {
      var json = try console.json(in: text, from: file, into: room)
      let mark = json.takeVersionMark()
      return (json, mark)
    } catch {
      if file == nil { throw Failure(.usage, error.description) }
      throw Failure(.unreadable, file: file, "\(error); this is read as JSON")
    }
  }

  /// The content of a whole document that JSON stands for: a map, which takes its types from what the
  /// document holds.
  func root(
    _ json: JSON, from file: FileName?, replacing old: DocumentNode?, _ matching: ContentMatching
  ) throws(Failure) -> DocumentNode {
    let status = file == nil ? ExitStatus.usage : .unreadable
    do throws(JSONError) {
      return try node(json, matching) { _ in old.map { Shape(of: $0) } ?? .unknown }
        .checkedAsRoot()
    } catch {
      throw Failure(status, file: file, error.description)
    }
  }
}

extension Console {
  /// Reads a JSON text that fits, and warns if numbers in it were rounded.
  func json(
    in text: String, from file: FileName?, into room: JSONRoom
  ) throws(JSONReader.Fault) -> JSON {
    let bytes = Array(text.utf8)
    try room.check(bytes)
    let (json, rounding) = try JSONReader.read(bytes)
    guard let rounding else { return json }
    let place = "\(rounding.first) at line \(rounding.line), column \(rounding.column)"
    let found =
      rounding.count == 1
      ? "the number \(place) has more digits than are kept, and is read as \(rounding.value)"
      : "\(rounding.count) numbers have more digits than are kept: \(place), is read as "
        + "\(rounding.value)"
    // A lost message is no reason to stop.
    try? warn((file.map { "\($0.inputName): " } ?? "") + found + "; a string keeps them all")
    return json
  }
}

/// How many values a JSON text may hold, which is looked at before any of them is kept: a byte or two
/// of it takes fifty of memory.
struct JSONRoom {
  /// The size of the document that they go into, which makes room (``Limits/contents(weighing:)``);
  /// `nil` if that is not known.
  var documentSize: Int?
  /// Whether strings may become texts.
  var mayHoldTexts: Bool

  /// For a document that is started.
  static func new(_ texts: TextPlaces) -> JSONRoom {
    JSONRoom(documentSize: 0, mayHoldTexts: !texts.patterns.isEmpty)
  }

  /// Refuses a text that no document can hold, whatever it becomes.
  func check(_ bytes: [UInt8]) throws(JSONReader.Fault) {
    let limits = Limits()
    guard let documentSize, bytes.count > limits.freeContents else { return }
    let extent = JSONReader.extent(of: bytes, stringsMayBeTexts: mayHoldTexts)
    let weight = documentSize + extent.weight
    let (values, containers) = (
      limits.contents(weighing: weight), limits.containers(weighing: weight)
    )
    // The outermost map is there already.
    guard extent.values <= values + 1, extent.containers <= containers else {
      throw JSONReader.Fault(
        line: 1, column: 1,
        reason: extent.values > values + 1
          ? "more than \(values) values, the most for their length"
          : "more than \(containers) arrays and objects, the most for their length")
    }
  }
}

extension Invocation {
  /// The room for JSON in a document that stands in a file.
  func room(in file: FileName) -> JSONRoom {
    let identity = file.isStandardStream ? nil : try? host.identity(of: file, followingLinks: true)
    return JSONRoom(documentSize: identity.map { Int($0.size) }, mayHoldTexts: true)
  }
}

/// Which strings of JSON become texts.
struct TextPlaces: ParsableArguments {
  @Option(
    name: .customLong("text-at"),
    help: .of("path", "Make strings here texts; * is any name or index."),
    transform: PathArgument.parsePattern)
  var patterns: [JSONPointer] = []

  /// The content with the strings at these places as texts; `console` is told where there is none.
  func applied(to node: DocumentNode, _ console: Console? = nil) -> DocumentNode {
    patterns.reduce(node) { node, pattern in
      let result = node.withText(at: pattern.tokens[...])
      if let console, result.isSame(as: node) {
        // A lost message is no reason to stop.
        try? console.warn("--text-at \(pattern.visible): there is no string")
      }
      return result
    }
  }
}

extension DocumentNode {
  /// The content with the strings at a path as texts.
  fileprivate func withText(at pattern: ArraySlice<String>) -> DocumentNode {
    guard let first = pattern.first else {
      if case .value(.string(let text)) = self { return .text(text) }
      return self
    }
    return mapChildren { token, node in
      first == "*" || first.utf8.elementsEqual(token.utf8)
        ? node.withText(at: pattern.dropFirst()) : node
    }
  }
}
