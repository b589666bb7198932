import Peernote
import PeernoteJSON

/// A scalar of a YAML text, and the rules by which values become scalars and scalars values.
///
/// Plain scalars are resolved like YAML's core schema (YAML 1.2.2, section 10.3) does, but that
/// nothing is lost: an integer beyond 64 bits or with leading zeros, octal and hexadecimal forms, and
/// a number with a fraction in another form than the shortest one, as `1.10`, stay text. Times in the
/// form of ``Timestamp/iso8601`` are times, others stay text; `!uuid` and `!!binary` (base64) mark
/// UUIDs and bytes. Text that this or YAML 1.1 would take for something else is
/// written in double quotes.
struct YAMLScalar: Hashable, Sendable {
  var text: String
  /// Whether the text stood there without quotes and in no block.
  var isPlain: Bool
  /// The explicit tag in full, such as `tag:yaml.org,2002:binary`; `nil` if there is none.
  var tag: String?
  /// From 1, in the whole text.
  var line: Int

  /// Whether nothing was given.
  var isNull: Bool {
    isPlain && tag == nil && Self.nullForms.contains(text)
  }

  /// Whether it may stand where text is wanted: it is no binary and no UUID.
  var isText: Bool { tag != Self.binaryTag && tag != Self.uuidTag }

  /// Whether it is text without quotes that looks like a number, a date or a time.
  var isPlainNumber: Bool { isPlain && tag == nil && Self.isNumberLike(text) }

  static let stringTag = "tag:yaml.org,2002:str"
  static let binaryTag = "tag:yaml.org,2002:binary"
  static let uuidTag = "!uuid"
  /// The tags of what is resolved as without a tag.
  private static let plainTags = Set(
    ["int", "float", "bool", "null", "timestamp"].map { "tag:yaml.org,2002:" + $0 })

  private static let nullForms: Set<String> = ["", "~", "null", "Null", "NULL"]
  private static let trueForms: Set<String> = ["true", "True", "TRUE"]
  private static let falseForms: Set<String> = ["false", "False", "FALSE"]
}

// MARK: - Reading

extension YAMLScalar {
  /// The value that the scalar, found under `key`, stands for.
  func value(of key: String) throws(NoteMarkdown.ParseError) -> Value {
    switch tag {
    case nil: return isPlain ? Self.resolved(text) : .string(text)
    case Self.stringTag: return .string(text)
    case Self.binaryTag:
      if let bytes = Base64.decoded(text) { return .bytes(bytes) }
    case Self.uuidTag:
      if let id = UniqueID(text) { return .uuid(id) }
    case let tag?: return Self.plainTags.contains(tag) ? Self.resolved(text) : .string(text)
    }
    throw NoteMarkdown.ParseError(
      line: line, reason: "\(quoted(key)) is marked \(tag ?? "") but does not hold such a value")
  }

  static func resolved(_ text: String) -> Value {
    if nullForms.contains(text) { return .null }
    if trueForms.contains(text) { return .bool(true) }
    if falseForms.contains(text) { return .bool(false) }
    switch text {
    case ".nan", ".NaN", ".NAN": return .double(.nan)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
    default: break
    }
    if let time = Timestamp(iso8601: text), time.iso8601 == text { return .timestamp(time) }
    return number(text) ?? .string(text)
  }

  private static func number(_ text: String) -> Value? {
    let digits = text.utf8.drop { "+-".utf8.contains($0) }
    if digits.count == 1 || digits.first != UInt8(ascii: "0"), let integer = Int64(text) {
      return .integer(integer)
    }
    guard let value = Double(text), value.isFinite, value.description == text else { return nil }
    return .double(value)
  }
}

// MARK: - Writing

extension YAMLScalar {
  /// A value as a scalar that ``value(of:)`` reads back; text that looks like a number may stand
  /// without quotes.
  static func text(of value: Value, asPlainNumber: Bool = false) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .double(let value) where value.isNaN: ".nan"
    case .double(let value) where value.isInfinite: value < 0 ? "-.inf" : ".inf"
    case .double(let value): value.description
    case .string(let value) where asPlainNumber && isNumberLike(value): value
    case .string(let value): plainOrQuoted(value)
    case .bytes(let value): "!!binary " + doubleQuoted(Base64.encoded(value))
    case .timestamp(let value): value.iso8601
    case .uuid(let value): "!uuid \(value)"
    }
  }

  /// Text as a plain scalar where no reader can misunderstand it, else in double quotes.
  static func plainOrQuoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last,
      resolved(text) == .string(text), !yaml11Words.contains(text.lowercased()),
      !indicators.contains(first), first != " ", last != " ", last != ":",
      // What looks like a number or a date to YAML 1.1, such as 1_000, 12:30, 0o7, 2026-11-20.
      !isMadeOfDigits(text), !scalars.contains(where: needsEscape),
      !scalars.contains(": ".unicodeScalars), !scalars.contains(" #".unicodeScalars)
    else { return doubleQuoted(text) }
    return text
  }

  /// Whether text looks like a number, a date or a time, and is text all the same.
  private static func isNumberLike(_ text: String) -> Bool {
    isMadeOfDigits(text) && resolved(text) == .string(text) && !text.contains(": ")
      && text.utf8.last != UInt8(ascii: ":") && text.utf8.last != UInt8(ascii: " ")
  }

  private static func isMadeOfDigits(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, numberStarts.contains(first) else { return false }
    return text.unicodeScalars.allSatisfy(numberLike.contains)
  }

  private static let yaml11Words: Set<String> = ["y", "n", "yes", "no", "on", "off", "<<", "="]
  private static let indicators = Set("-?:,[]{}#&*!|>'\"%@`".unicodeScalars)
  private static let numberStarts = Set("0123456789+-.".unicodeScalars)
  private static let numberLike = Set("0123456789abcdefABCDEFxXoO_.,:+-TtZz ".unicodeScalars)

  /// Text in double quotes on one line (YAML 1.2.2, section 7.3.1).
  static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where needsEscape(scalar):
        let digits = String(scalar.value, radix: 16)
        let forms = [("x", 2), ("u", 4)]
        let (letter, width) = forms.first { digits.utf8.count <= $0.1 } ?? ("U", 8)
        result += "\\" + letter
        result += String(repeating: "0", count: width - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Whether a character is not allowed in YAML, not visible, or reorders others.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: true
    case .spaceSeparator: scalar != " "
    default: false
    }
  }
}

/// Content as YAML in blocks.
enum YAMLWriter {
  /// A key and what stands under it.
  static func text(_ key: String, _ node: DocumentNode, lineEnd: String = "\n") -> String {
    YAMLScalar.plainOrQuoted(key) + ":" + text(of: node, separator: lineEnd)
  }

  /// What stands behind the colon of a key, or the hyphen of an element, where a line end and spaces
  /// stand before other such keys.
  ///
  /// The first item of an element stands on its line.
  static func text(of node: DocumentNode, separator: String, isElement: Bool = false) -> String {
    let inner = separator + "  "
    let items: [String]
    switch node.form {
    case .value(let value): return " " + YAMLScalar.text(of: value)
    case .list([]): return " []"
    case .map([]): return " {}"
    case .list(let nodes):
      items = nodes.map { "-" + text(of: $0, separator: inner, isElement: true) }
    case .map(let entries):
      items = entries.map { text($0.key, $0.node, lineEnd: inner) }
    }
    return (isElement ? " " : inner) + items.joined(separator: inner)
  }
}
