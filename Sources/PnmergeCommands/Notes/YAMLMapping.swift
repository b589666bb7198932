import Peernote
import PeernoteJSON

internal import CLibYAML

/// A YAML mapping, read with the system's libyaml.
///
/// Keys are text. What stands at an anchor stands wherever an alias names it, as far as
/// ``NoteMarkdown/entryLimit`` allows, so that no text means much more than it shows and memory
/// stays within a multiple of it; merge keys (`<<`) are keys like others. Repeated keys, directives
/// and a second document are refused. Tags but those that ``YAMLScalar`` knows say nothing.
/// libyaml is used as it is, rather than through a Swift package, since those at hand need the
/// whole of Foundation, which more than doubles the start-up time of the program.
enum YAMLMapping {
  /// A key and what it leads to.
  struct Pair {
    var key: String
    var keyRange = 0..<0
    var value: Node
    /// The line of the key, from 1.
    var line: Int

    var content: Content { value.content }
    /// What the key leads to; `nil` if a value in it is not what it is marked as.
    var node: DocumentNode? { try? value.node(of: key) }
  }

  enum Content {
    case scalar(YAMLScalar)
    case sequence([Node])
    case mapping([Pair])
  }

  /// Content, and its Unicode scalars in the text.
  struct Node {
    var content: Content
    /// From its tag or anchor to the end of its last part; of text in a block to the next line.
    var range: Range<Int>
    /// Where the first item of a collection stands, or the text behind its bracket or hyphen; `nil`
    /// for a scalar, and where an alias stands for it.
    var inner: Int?
  }

  /// Reads the pairs in the order of the text, whose first line has the number `firstLine`.
  ///
  /// A key that occurs twice is refused; in the outermost map it may be allowed.
  static func pairs(
    in text: ArraySlice<UInt8>, firstLine: Int = 1, firstIndex: Int = 0,
    allowingRepeats: Bool = false
  ) throws(NoteMarkdown.ParseError) -> [Pair] {
    var reader = YAMLReader(text, firstLine, firstIndex, allowsRepeats: allowingRepeats)
    return try reader.document()
  }

  /// The only pair of a text; `nil` if there is none, or more than one.
  static func pair(in text: String, firstIndex: Int = 0) -> Pair? {
    let pairs = try? pairs(in: Array(text.utf8)[...], firstIndex: firstIndex)
    return pairs?.count == 1 ? pairs?.first : nil
  }
}

extension YAMLMapping.Node {
  /// The content that the YAML under a key stands for.
  func node(of key: String) throws(NoteMarkdown.ParseError) -> DocumentNode {
    switch content {
    case .scalar(let scalar): return .value(try scalar.value(of: key))
    case .sequence(let elements):
      return .list(
        try elements.map { (element) throws(NoteMarkdown.ParseError) in try element.node(of: key) })
    case .mapping(let pairs):
      return .map(
        try pairs.map { (pair) throws(NoteMarkdown.ParseError) in
          .init(key: pair.key, node: try pair.value.node(of: pair.key))
        })
    }
  }
}

/// A parser by recursive descent over libyaml's events.
@safe private struct YAMLReader: ~Copyable {
  private typealias ParseError = NoteMarkdown.ParseError

  /// One step of the text.
  private struct Event {
    enum Kind: Equatable {
      case scalar(YAMLScalar)
      /// What stood at an anchor stands here again.
      case alias(String)
      case sequenceStart, mappingStart
      /// The end of the collection that was begun last, and of the text.
      case end
    }

    var kind: Kind
    /// The name that aliases call it by.
    var anchor: String?
    /// From 1, in the whole text.
    var line: Int
    var range: Range<Int>
  }

  /// How deep contents may be nested.
  private static let depthLimit = 50

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// Whether libyaml could start, which takes memory.
  private let isReady: Bool
  /// The text; libyaml keeps a pointer to it.
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let firstLine: Int
  private let firstIndex: Int
  private let allowsRepeats: Bool
  private var anchors: [String: (content: YAMLMapping.Content, size: Int)] = [:]
  /// How many values there are, those that aliases stand for included.
  private var count = 0
  /// Where the last part of the text ends that was read.
  private var end = 0

  init(_ text: ArraySlice<UInt8>, _ firstLine: Int, _ firstIndex: Int, allowsRepeats: Bool) {
    (self.firstLine, self.firstIndex) = (firstLine, firstIndex)
    self.allowsRepeats = allowsRepeats
    unsafe self.text = .allocate(capacity: text.count)
    _ = unsafe self.text.initialize(from: text)
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    isReady = unsafe yaml_parser_initialize(parser) == 1
    guard isReady else { return }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  mutating func document() throws(NoteMarkdown.ParseError) -> [YAMLMapping.Pair] {
    let start = try next()
    guard start.kind != .end else { return [] }
    guard start.kind == .mappingStart else {
      throw ParseError(line: start.line, reason: "the front matter is not of the form 'key: value'")
    }
    let pairs = try pairs(depth: 0)
    let end = try next()
    guard end.kind == .end else {
      throw ParseError(line: end.line, reason: "the front matter ends before this")
    }
    return pairs
  }

  private mutating func pairs(depth: Int) throws(ParseError) -> [YAMLMapping.Pair] {
    var pairs: [YAMLMapping.Pair] = []
    // Told apart by their bytes, as in a document.
    var keys: Set<Value> = []
    while case let event = try next(), event.kind != .end {
      guard case .scalar(let scalar) = event.kind else {
        throw ParseError(line: event.line, reason: "a key must be text")
      }
      if let anchor = event.anchor { anchors[anchor] = (.scalar(scalar), 1) }
      let isNew = keys.insert(.string(scalar.text)).inserted
      guard isNew || allowsRepeats && depth == 0 else {
        throw ParseError(line: event.line, reason: "the key \(quoted(scalar.text)) occurs twice")
      }
      let value = try node(of: try next(), depth: depth)
      pairs.append(.init(key: scalar.text, keyRange: event.range, value: value, line: event.line))
    }
    return pairs
  }

  private mutating func node(of event: Event, depth: Int) throws(ParseError) -> YAMLMapping.Node {
    let before = count
    try add(1, event)
    guard depth < Self.depthLimit else {
      throw ParseError(
        line: event.line, reason: "values are nested deeper than \(Self.depthLimit) times")
    }
    let content: YAMLMapping.Content
    var inner: Int? = event.range.upperBound
    switch event.kind {
    case .scalar(let scalar): (content, inner) = (.scalar(scalar), nil)
    case .alias(let name):
      guard let known = anchors[name] else {
        throw ParseError(line: event.line, reason: "there is no anchor \(quoted(name)) before this")
      }
      try add(known.size - 1, event)
      (content, inner) = (known.content, nil)
    case .sequenceStart:
      var elements: [YAMLMapping.Node] = []
      while case let element = try next(), element.kind != .end {
        elements.append(try node(of: element, depth: depth + 1))
      }
      content = .sequence(elements)
    case .mappingStart: content = .mapping(try pairs(depth: depth + 1))
    case .end: throw ParseError(line: event.line, reason: "a value is missing")
    }
    if let anchor = event.anchor { anchors[anchor] = (content, count - before) }
    let start = event.range.lowerBound
    return YAMLMapping.Node(content: content, range: start..<max(start, end), inner: inner)
  }

  private mutating func add(_ size: Int, _ event: Event) throws(ParseError) {
    count += size
    guard count <= NoteMarkdown.entryLimit else {
      throw ParseError(
        line: event.line, reason: "there are more than \(NoteMarkdown.entryLimit) values")
    }
  }

  /// The next event; those that only frame the document are passed over.
  private mutating func next() throws(ParseError) -> Event {
    var event = unsafe yaml_event_t()
    guard isReady, unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    defer { unsafe yaml_event_delete(&event) }
    let line = unsafe firstLine + Int(event.start_mark.line)
    let kind: Event.Kind
    var anchor: UnsafeMutablePointer<yaml_char_t>?
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: return try next()
    case YAML_DOCUMENT_START_EVENT:
      guard unsafe event.data.document_start.implicit == 1 else {
        throw ParseError(line: line, reason: "YAML directives are not supported")
      }
      return try next()
    case YAML_ALIAS_EVENT: kind = .alias(unsafe name(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
      guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
        throw ParseError(line: line, reason: "characters outside Unicode are not supported")
      }
      let tag = unsafe name(scalar.tag).map { $0 == "!" ? YAMLScalar.stringTag : $0 }
      let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
      kind = .scalar(YAMLScalar(text: text, isPlain: isPlain, tag: tag, line: line))
      unsafe anchor = scalar.anchor
    case YAML_SEQUENCE_START_EVENT:
      kind = .sequenceStart
      unsafe anchor = event.data.sequence_start.anchor
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart
      unsafe anchor = event.data.mapping_start.anchor
    default: kind = .end
    }
    let start = unsafe firstIndex + Int(event.start_mark.index)
    let stop = unsafe max(start, firstIndex + Int(event.end_mark.index))
    // Without a bracket nothing stands at the end of a collection.
    if kind != .end || start < stop { end = stop }
    return Event(kind: kind, anchor: unsafe name(anchor), line: line, range: start..<stop)
  }

  private func name(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
  }

  /// libyaml's last error in our words.
  private func problem() -> NoteMarkdown.ParseError {
    let reason = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
    let line = unsafe Int(parser.pointee.problem_mark.line)
    return ParseError(
      line: firstLine + line, reason: "this is not YAML: \(reason ?? "out of memory")")
  }
}
