package import PeernoteEngine

extension Document {
  /// A copy that tells nothing of what the document says, for reports of faults.
  ///
  /// The history keeps its shape: changes, parents, times, agents, operations and their positions
  /// are the same, and every text is as long as it was in scalars and bytes. Letters become `x`,
  /// digits `0`, letters of other scripts one letter of the same length; spaces, punctuation and
  /// marks stay. Strings of registers and sets, authors and, if asked for, keys become random
  /// letters of the same length, equal ones equal and different ones different; bytes, UUIDs and
  /// the document's identity random ones. Numbers, truth values and times stay, and so do the keys
  /// and priorities of notes.
  ///
  /// What is random follows from the key. Forget it: who has neither the key nor the document cannot
  /// find out whether a replacement stands for a name that they guess. Copies of one document that
  /// are anonymized with one key go on being copies of one document; with two keys they do not.
  ///
  /// One walk over the whole history. By default a key is drawn for this call, and thrown away.
  /// `scrubsKeys` also replaces the keys of maps that are longer than two bytes. Throws if the
  /// history contradicts itself or takes more than the limits.
  package func anonymized(
    with key: AnonymizationKey = AnonymizationKey(), scrubsKeys: Bool = false
  ) throws(DocumentError) -> Document {
    let scrubber = Scrubber(key: key, scrubsKeys: scrubsKeys)
    let inserted = InsertedText(scrubber.text(try fillableText().text))
    let changes = scrubber.log(log).changes(insertedText: inserted)
    return try Document(id: scrubber.identifier(id), changes: changes)
  }
}

/// 256 random bits that the replacements in anonymized documents follow from.
package struct AnonymizationKey: Sendable {
  fileprivate let bytes: [UInt8]

  package init() {
    var system = SystemRandomNumberGenerator()
    bytes = (0..<32).map { _ in .random(in: 0...255, using: &system) }
  }
}

/// Replaces what people wrote by what says nothing.
private struct Scrubber {
  var key: AnonymizationKey
  var scrubsKeys: Bool

  /// A log with the same changes, whose names, contents and deleted text say nothing.
  func log(_ old: Log) -> Log {
    var new = old
    new.authors = old.authors.map(word)
    new.messages = old.messages.map(text)
    new.keys = old.keys.map(key)
    new.contents = old.contents.replacing(content)
    let deleted = old.deletedText
    guard
      let text = DeletedText(
        text: text(deleted.text), count: deleted.count, redacted: deleted.redacted)
    else { preconditionFailure("a text is as long as it was") }
    new.deletedText = text
    return new
  }

  // MARK: Values

  private func content(_ old: Content) -> Content {
    switch old {
    case .value(let value): .value(self.value(value))
    case .container: old
    }
  }

  private func value(_ old: Value) -> Value {
    switch old {
    case .null, .bool, .integer, .double, .timestamp: old
    case .string(let text):
      .string(Note.Priority(rawValue: text) == nil ? word(text) : text)
    case .bytes(let bytes): .bytes(self.bytes(bytes))
    case .uuid(let id): .uuid(identifier(id))
    }
  }

  private func key(_ old: String) -> String {
    !scrubsKeys || old.utf8.count < 3 || Note.Key.all.contains(old) ? old : word(old)
  }

  /// Another identifier, the same for the same one.
  func identifier(_ old: UniqueID) -> UniqueID {
    let digest = random(old.description.utf8, length: 16)
    func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    return UniqueID(randomBits: half(digest.prefix(8)), half(digest.suffix(8)))
  }

  private func bytes(_ old: [UInt8]) -> [UInt8] {
    random(old, length: old.count)
  }

  /// Letters of the same number of bytes, the same for the same text.
  ///
  /// Those of very short texts may meet; then what was different is equal.
  private func word(_ old: String) -> String {
    let letters = random(old.utf8, length: old.utf8.count).map { UInt8(ascii: "a") + $0 % 26 }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Bytes that follow from others and the key: two rounds of SHA-256 over key, number and digest;
  /// O(bytes + length).
  private func random(_ old: some Sequence<UInt8>, length: Int) -> [UInt8] {
    let seed = Envelope.digest(of: (key.bytes + old)[...])
    let blocks = (0..<(length + 31) / 32).flatMap { block in
      Envelope.digest(of: (key.bytes + Array("\(block) ".utf8) + seed)[...])
    }
    return Array(blocks.prefix(length))
  }

  // MARK: Texts

  func text(_ old: TextBuffer) -> TextBuffer { TextBuffer(text(old.string)) }

  /// The text with every letter and digit replaced; each scalar by one of the same length.
  private func text(_ old: String) -> String {
    var new = String.UnicodeScalarView()
    for scalar in old.unicodeScalars { new.append(replacement(scalar)) }
    return String(new)
  }

  private func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
      .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation:
      return scalar
    case .decimalNumber where scalar.isASCII:
      return "0"
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .mathSymbol, .currencySymbol,
      .modifierSymbol, .otherSymbol, .privateUse, .unassigned:
      switch UTF8.width(scalar) {
      case 1: return scalar.properties.isAlphabetic ? "x" : scalar
      case 2: return "\u{F8}"
      case 3: return "\u{4E2D}"
      default: return "\u{1D535}"
      }
    @unknown default:
      return scalar
    }
  }
}
