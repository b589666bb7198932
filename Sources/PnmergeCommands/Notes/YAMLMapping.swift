import PeernoteJSON

/// The key-value pairs of a flat YAML mapping, read with the system's libyaml.
///
/// Only what front matter needs is accepted: one mapping from text to scalars and to lists of
/// scalars. Anchors, aliases, merge keys, unknown tags, deeper nesting and repeated keys are
/// refused, so that no text means more than it shows and memory stays within a multiple of it.
/// libyaml is used as it is, rather than through a Swift package, since those at hand need the
/// whole of Foundation, which more than doubles the start-up time of the program.
enum YAMLMapping {
  /// A key and what it leads to.
  struct Pair: Hashable, Sendable {
    var key: String
    var content: Content
    /// The line of the key, from 1.
    var line: Int
  }

  enum Content: Hashable, Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLScalar])
  }

  /// Reads the pairs in the order of the text, whose first line has the number `firstLine`.
  static func pairs(
    in text: ArraySlice<UInt8>, firstLine: Int
  ) throws(NoteMarkdown.ParseError) -> [Pair] {
    var reader = Reader(YAMLEventReader(text, firstLine: firstLine))
    return try reader.document()
  }

  /// A parser by recursive descent over events.
  private struct Reader: ~Copyable {
    private var events: YAMLEventReader

    init(_ events: consuming YAMLEventReader) {
      self.events = events
    }

    mutating func document() throws(NoteMarkdown.ParseError) -> [Pair] {
      var pairs: [Pair] = []
      let start = try events.next()
      guard start.kind != .end else { return [] }
      guard start.kind == .mappingStart else {
        throw error(start, "the front matter is not of the form 'key: value'")
      }
      // Keys that look the same count as the same: they would in the note's fields, too.
      var keys: Set<String> = []
      while true {
        let event = try events.next()
        switch event.kind {
        case .mappingEnd:
          try expectEnd()
          return pairs
        case .scalar(let scalar):
          try checkKey(scalar, in: &keys)
          pairs.append(Pair(key: scalar.text, content: try content(), line: event.line))
        case .sequenceStart, .sequenceEnd, .mappingStart, .end:
          throw error(event, "a key must be text")
        }
      }
    }

    private func checkKey(
      _ scalar: YAMLScalar, in keys: inout Set<String>
    ) throws(NoteMarkdown.ParseError) {
      if scalar.isPlain && scalar.text == "<<" {
        throw NoteMarkdown.ParseError(line: scalar.line, reason: "merge keys are not supported")
      }
      guard scalar.tag == nil || scalar.tag == YAMLScalar.stringTag else {
        throw NoteMarkdown.ParseError(line: scalar.line, reason: "a key must be text")
      }
      guard keys.insert(scalar.text).inserted else {
        throw NoteMarkdown.ParseError(
          line: scalar.line, reason: "the key \(quoted(scalar.text)) occurs twice")
      }
      guard keys.count <= NoteMarkdown.entryLimit else {
        throw NoteMarkdown.ParseError(
          line: scalar.line, reason: "there are more than \(NoteMarkdown.entryLimit) keys")
      }
    }

    private mutating func content() throws(NoteMarkdown.ParseError) -> Content {
      let event = try events.next()
      switch event.kind {
      case .scalar(let scalar): return .scalar(scalar)
      case .sequenceStart: return .sequence(try elements())
      case .mappingStart, .mappingEnd, .sequenceEnd, .end:
        throw error(event, "values inside values are not supported here")
      }
    }

    private mutating func elements() throws(NoteMarkdown.ParseError) -> [YAMLScalar] {
      var elements: [YAMLScalar] = []
      while true {
        let event = try events.next()
        switch event.kind {
        case .scalar(let scalar): elements.append(scalar)
        case .sequenceEnd: return elements
        case .sequenceStart, .mappingStart, .mappingEnd, .end:
          throw error(event, "a list holds single values only")
        }
        guard elements.count <= NoteMarkdown.entryLimit else {
          throw error(event, "a list has more than \(NoteMarkdown.entryLimit) values")
        }
      }
    }

    private mutating func expectEnd() throws(NoteMarkdown.ParseError) {
      let event = try events.next()
      guard event.kind == .end else { throw error(event, "the front matter ends before this") }
    }

    private func error(_ event: YAMLEvent, _ reason: String) -> NoteMarkdown.ParseError {
      NoteMarkdown.ParseError(line: event.line, reason: reason)
    }
  }
}
