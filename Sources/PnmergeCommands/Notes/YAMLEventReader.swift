import PeernoteJSON

internal import CLibYAML

/// One step of a YAML text.
struct YAMLEvent {
  enum Kind: Hashable {
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
  /// Its Unicode scalars in the text.
  var range = 0..<0
}

/// Reads a YAML text of one document event by event, through libyaml.
///
/// Refuses directives and a second document. Tags but those that ``YAMLScalar`` knows say nothing.
@safe struct YAMLEventReader: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The text; libyaml keeps a pointer to it.
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let firstLine: Int
  private let firstIndex: Int
  private var hasEnded = false
  /// Whether libyaml could not start, for want of memory.
  private var hasFailed = false

  init(_ text: ArraySlice<UInt8>, firstLine: Int, firstIndex: Int) {
    (self.firstLine, self.firstIndex) = (firstLine, firstIndex)
    unsafe self.text = .allocate(capacity: text.count)
    _ = unsafe self.text.initialize(from: text)
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      hasFailed = true
      return
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// The next event that means something to the caller.
  mutating func next() throws(NoteMarkdown.ParseError) -> YAMLEvent {
    while true {
      if hasFailed { throw problem() }
      guard !hasEnded else { return YAMLEvent(kind: .end, line: firstLine) }
      var event = unsafe yaml_event_t()
      guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem() }
      defer { unsafe yaml_event_delete(&event) }
      let line = unsafe firstLine + Int(event.start_mark.line)
      if let kind = try unsafe kind(of: event, line) {
        let start = unsafe firstIndex + Int(event.start_mark.index)
        let end = unsafe firstIndex + Int(event.end_mark.index)
        return YAMLEvent(
          kind: kind, anchor: unsafe anchor(of: event), line: line, range: start..<max(start, end))
      }
    }
  }

  /// What an event is; `nil` for those that only frame the document.
  private mutating func kind(
    of event: yaml_event_t, _ line: Int
  ) throws(NoteMarkdown.ParseError) -> YAMLEvent.Kind? {
    func refuse(_ what: String) -> NoteMarkdown.ParseError {
      NoteMarkdown.ParseError(line: line, reason: "\(what) are not supported")
    }
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: return nil
    case YAML_DOCUMENT_START_EVENT:
      guard unsafe event.data.document_start.implicit == 1 else { throw refuse("YAML directives") }
      return nil
    case YAML_STREAM_END_EVENT:
      hasEnded = true
      return .end
    case YAML_ALIAS_EVENT:
      return .alias(unsafe name(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let tag = unsafe tag(scalar.tag)
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
      guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
        throw refuse("characters outside Unicode")
      }
      return .scalar(
        YAMLScalar(
          text: text, isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE, tag: tag, line: line)
      )
    case YAML_SEQUENCE_START_EVENT: return .sequenceStart
    case YAML_MAPPING_START_EVENT: return .mappingStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
    default:
      throw NoteMarkdown.ParseError(line: line, reason: "unexpected YAML")
    }
  }

  private func anchor(of event: yaml_event_t) -> String? {
    switch unsafe event.type {
    case YAML_SCALAR_EVENT: unsafe name(event.data.scalar.anchor)
    case YAML_SEQUENCE_START_EVENT: unsafe name(event.data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT: unsafe name(event.data.mapping_start.anchor)
    default: nil
    }
  }

  private func name(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
  }

  private func tag(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let tag = unsafe name(pointer) else { return nil }
    return tag == "!" ? YAMLScalar.stringTag : tag
  }

  /// libyaml's last error in our words.
  private func problem() -> NoteMarkdown.ParseError {
    let reason = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
    let line = unsafe Int(parser.pointee.problem_mark.line)
    return NoteMarkdown.ParseError(
      line: firstLine + line, reason: "this is not YAML: \(reason ?? "out of memory")")
  }
}
