import Peernote
import PeernoteJSON

/// The pairs of a YAML mapping, read with the system's libyaml.
///
/// Keys are text. What stands at an anchor stands wherever an alias names it, as far as
/// ``NoteMarkdown/entryLimit`` allows, so that no text means much more than it shows and memory
/// stays within a multiple of it; merge keys (`<<`) are keys like others. Repeated keys are refused.
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

  /// How deep contents may be nested.
  private static let depthLimit = 50

  /// Reads the pairs in the order of the text, whose first line has the number `firstLine`.
  ///
  /// A key that occurs twice is refused; in the outermost map it may be allowed.
  static func pairs(
    in text: ArraySlice<UInt8>, firstLine: Int = 1, firstIndex: Int = 0,
    allowingRepeats: Bool = false
  ) throws(NoteMarkdown.ParseError) -> [Pair] {
    var reader = Reader(
      allowsRepeats: allowingRepeats,
      events: YAMLEventReader(text, firstLine: firstLine, firstIndex: firstIndex))
    return try reader.document()
  }

  /// The only pair of a text; `nil` if there is none, or more than one.
  static func pair(in text: String, firstIndex: Int = 0) -> Pair? {
    let pairs = try? pairs(in: Array(text.utf8)[...], firstIndex: firstIndex)
    return pairs?.count == 1 ? pairs?.first : nil
  }

  /// A parser by recursive descent over events.
  private struct Reader: ~Copyable {
    let allowsRepeats: Bool
    var events: YAMLEventReader
    var anchors: [String: (content: Content, size: Int)] = [:]
    /// How many values there are, those that aliases stand for included.
    var count = 0
    /// The bracket that ended the last collection; empty if it had none.
    var bracket = 0..<0

    mutating func document() throws(NoteMarkdown.ParseError) -> [Pair] {
      let start = try events.next()
      guard start.kind != .end else { return [] }
      guard start.kind == .mappingStart else {
        throw error(start, "the front matter is not of the form 'key: value'")
      }
      let pairs = try pairs(depth: 0)
      let end = try events.next()
      guard end.kind == .end else { throw error(end, "the front matter ends before this") }
      return pairs
    }

    private mutating func pairs(depth: Int) throws(NoteMarkdown.ParseError) -> [Pair] {
      var pairs: [Pair] = []
      // Told apart by their bytes, as in a document.
      var keys: Set<Value> = []
      while true {
        let event = try events.next()
        switch event.kind {
        case .end:
          bracket = event.range
          return pairs
        case .scalar(let scalar):
          if let anchor = event.anchor { anchors[anchor] = (.scalar(scalar), 1) }
          let isNew = keys.insert(.string(scalar.text)).inserted
          guard isNew || allowsRepeats && depth == 0 else {
            throw error(event, "the key \(quoted(scalar.text)) occurs twice")
          }
          let value = try node(of: try events.next(), depth: depth)
          pairs.append(
            Pair(key: scalar.text, keyRange: event.range, value: value, line: event.line))
        case .alias, .sequenceStart, .mappingStart:
          throw error(event, "a key must be text")
        }
      }
    }

    private mutating func node(
      of event: YAMLEvent, depth: Int
    ) throws(NoteMarkdown.ParseError) -> Node {
      let before = count
      try add(1, event)
      guard depth < YAMLMapping.depthLimit else {
        throw error(event, "values are nested deeper than \(YAMLMapping.depthLimit) times")
      }
      var node: Node
      switch event.kind {
      case .scalar(let scalar): node = Node(content: .scalar(scalar), range: event.range)
      case .alias(let name):
        guard let known = anchors[name] else {
          throw error(event, "there is no anchor \(quoted(name)) before this")
        }
        try add(known.size - 1, event)
        node = Node(content: known.content, range: event.range)
      case .sequenceStart:
        let elements = try elements(depth: depth + 1)
        node = self.node(.sequence(elements), from: event, to: elements.last)
      case .mappingStart:
        let pairs = try pairs(depth: depth + 1)
        node = self.node(.mapping(pairs), from: event, to: pairs.last?.value)
      case .end: throw error(event, "a value is missing")
      }
      if let anchor = event.anchor { anchors[anchor] = (node.content, count - before) }
      return node
    }

    /// A collection, which ends at its bracket, or with its last part.
    private func node(_ content: Content, from start: YAMLEvent, to last: Node?) -> Node {
      let end = bracket.isEmpty ? last?.range.upperBound ?? 0 : bracket.upperBound
      let range = start.range.lowerBound..<max(start.range.upperBound, end)
      return Node(content: content, range: range, inner: start.range.upperBound)
    }

    private mutating func elements(depth: Int) throws(NoteMarkdown.ParseError) -> [Node] {
      var elements: [Node] = []
      while true {
        let event = try events.next()
        if event.kind == .end {
          bracket = event.range
          return elements
        }
        elements.append(try node(of: event, depth: depth))
      }
    }

    private mutating func add(_ size: Int, _ event: YAMLEvent) throws(NoteMarkdown.ParseError) {
      count += size
      guard count <= NoteMarkdown.entryLimit else {
        throw error(event, "there are more than \(NoteMarkdown.entryLimit) values")
      }
    }

    private func error(_ event: YAMLEvent, _ reason: String) -> NoteMarkdown.ParseError {
      NoteMarkdown.ParseError(line: event.line, reason: reason)
    }
  }
}

extension YAMLMapping.Pair {
  /// What the key leads to; `nil` if a value in it is not what it is marked as.
  var node: DocumentNode? { try? value.node(of: key) }
}

extension YAMLMapping.Node {
  /// The content that the YAML under a key stands for.
  func node(of key: String) throws(NoteMarkdown.ParseError) -> DocumentNode {
    switch content {
    case .scalar(let scalar): return .value(try scalar.value(of: key))
    case .sequence(let elements):
      var nodes: [DocumentNode] = []
      for element in elements { nodes.append(try element.node(of: key)) }
      return .list(nodes)
    case .mapping(let pairs):
      var entries: [DocumentNode.MapEntry] = []
      for pair in pairs {
        entries.append(.init(key: pair.key, node: try pair.value.node(of: pair.key)))
      }
      return .map(entries)
    }
  }
}
