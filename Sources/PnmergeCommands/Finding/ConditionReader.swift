import Peernote
import PeernoteJSON

/// Reads conditions.
///
/// ```
/// condition  = all *("or" all)
/// all        = one *("and" one)
/// one        = "not" one / "(" condition ")" / operand [comparison operand]
/// comparison = "=" / "==" / "!=" / "<" / "<=" / ">" / ">=" / "contains"
/// operand    = path / string / number / "true" / "false" / "null"
/// path       = 1*("/" token)        ; RFC 6901; * stands for any name or index
/// string     = JSON's, or the same in single quotation marks
/// ```
///
/// A path ends before white space, a parenthesis or a comparison; a token that holds one of these
/// stands in quotation marks, as in `/"running time"`.
package struct ConditionReader {
  /// Why a text is no condition.
  package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1, in Unicode scalars.
    package var column: Int
    package var reason: String

    package var description: String { "column \(column): \(reason)" }
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private static let depthLimit = 100

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Reads a text that is one condition.
  package static func condition(in text: String) throws(Fault) -> Condition {
    var reader = ConditionReader(text)
    let condition = try reader.condition()
    reader.skipSpace()
    guard reader.position == reader.scalars.count else {
      throw reader.fault("'and', 'or' or the end is expected here")
    }
    return condition
  }

  private func fault(_ reason: String) -> Fault { Fault(column: position + 1, reason: reason) }

  // MARK: Conditions

  private mutating func condition() throws(Fault) -> Condition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw fault("nested too deep") }
    var result = try all()
    while skip(word: "or") { result = .or(result, try all()) }
    return result
  }

  private mutating func all() throws(Fault) -> Condition {
    var result = try one()
    while skip(word: "and") { result = .and(result, try one()) }
    return result
  }

  private mutating func one() throws(Fault) -> Condition {
    var isNegated = false
    while skip(word: "not") { isNegated.toggle() }
    let condition = try plain()
    return isNegated ? .not(condition) : condition
  }

  private mutating func plain() throws(Fault) -> Condition {
    if skip("(") {
      let inner = try condition()
      guard skip(")") else { throw fault("a closing parenthesis is expected here") }
      return inner
    }
    let left = try operand()
    guard let comparison = comparison() else {
      if case .path(let pattern) = left { return .exists(pattern) }
      throw fault("a comparison is expected here")
    }
    return .comparison(left, comparison, try operand())
  }

  private mutating func comparison() -> Condition.Comparison? {
    for (text, comparison) in Self.comparisons where skip(text) { return comparison }
    return skip(word: "contains") ? .contains : nil
  }

  /// The longer ones first.
  private static let comparisons: [(String, Condition.Comparison)] = [
    ("==", .equal), ("=", .equal), ("!=", .unequal), ("<=", .atMost), ("<", .less),
    (">=", .atLeast), (">", .more),
  ]

  // MARK: Operands

  private mutating func operand() throws(Fault) -> Condition.Operand {
    skipSpace()
    guard position < scalars.count else {
      throw fault("a path, a number or a string in quotation marks is expected here")
    }
    switch scalars[position] {
    case "/": return .path(try path())
    case "\"", "'": return .value(.string(try string()))
    default: return .value(try literal())
    }
  }

  private mutating func path() throws(Fault) -> Condition.PathPattern {
    var tokens: [String?] = []
    while position < scalars.count, scalars[position] == "/" {
      let start = position
      position += 1
      if position < scalars.count, scalars[position] == "\"" || scalars[position] == "'" {
        tokens.append(try string())
        continue
      }
      let tokenStart = position
      while position < scalars.count, !isEnd(scalars[position]), scalars[position] != "/" {
        position += 1
      }
      var token = String.UnicodeScalarView()
      token.append(contentsOf: scalars[tokenStart..<position])
      guard let pointer = JSONPointer("/" + String(token)), let name = pointer.tokens.first else {
        position = start
        throw fault("in a path ~ is written ~0, and / in a name ~1")
      }
      if name == "**" {
        position = start
        throw fault(PathArgument.noDeepPattern)
      }
      tokens.append(name == "*" ? nil : name)
    }
    return Condition.PathPattern(tokens: tokens)
  }

  private mutating func string() throws(Fault) -> String {
    let start = position
    let quote = scalars[position]
    var text = String.UnicodeScalarView()
    position += 1
    while position < scalars.count, scalars[position] != quote {
      if scalars[position] == "\\", position + 1 < scalars.count {
        // In single quotation marks a double one needs no escape in JSON's sense, and the reverse.
        if scalars[position + 1] == "'" {
          position += 1
        } else {
          text.append("\\")
          position += 1
        }
      } else if scalars[position] == "\"" {
        text.append("\\")
      }
      text.append(scalars[position])
      position += 1
    }
    guard position < scalars.count else {
      position = start
      throw fault("the string does not end")
    }
    position += 1
    let json = try? JSONReader.value(in: Array("\"\(String(text))\"".utf8))
    guard case .string(let value) = json else {
      position = start
      throw fault("there is an escape in the string that does not exist")
    }
    return value
  }

  private mutating func literal() throws(Fault) -> JSON {
    let start = position
    var text = String.UnicodeScalarView()
    while position < scalars.count, !isEnd(scalars[position]) {
      text.append(scalars[position])
      position += 1
    }
    guard let value = try? JSONReader.value(in: Array(String(text).utf8)) else {
      position = start
      throw fault("a path, a number or a string in quotation marks is expected here")
    }
    return value
  }

  // MARK: Characters

  private func isEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\n", "\r", "(", ")", "=", "!", "<", ">": true
    default: false
    }
  }

  private mutating func skipSpace() {
    while position < scalars.count, [" ", "\t", "\n", "\r"].contains(scalars[position]) {
      position += 1
    }
  }

  /// Skips a sign if it stands here.
  private mutating func skip(_ sign: String) -> Bool {
    skipSpace()
    let sign = Array(sign.unicodeScalars)
    guard scalars[position...].starts(with: sign) else { return false }
    position += sign.count
    return true
  }

  /// Skips a word if it stands here by itself.
  private mutating func skip(word: String) -> Bool {
    let start = position
    guard skip(word) else { return false }
    if position == scalars.count || isEnd(scalars[position]) || scalars[position] == "/" {
      return true
    }
    position = start
    return false
  }
}
