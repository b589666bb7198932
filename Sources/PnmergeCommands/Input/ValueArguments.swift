import ArgumentParser
import Peernote
import PeernoteJSON

/// How an argument becomes a value.
enum ValueType: String, CaseIterable, ExpressibleByArgument {
  case json
  case string
  case text
  case integer
  case double
  case counter
  case timestamp
  case uuid
  case bytes
}

/// A value on the command line or in a file, and its type.
struct ValueArguments: ParsableArguments {
  @Option(name: .customLong("type"), help: .of("type", "The type."))
  var givenType: ValueType?

  @Flag(name: .customLong("string"), help: "The same as --type string.")
  var isString = false

  @Flag(name: .customLong("text"), help: "The same as --type text.")
  var isText = false

  @Option(help: .of("file", "Take the value from a file; - is standard input."))
  var valueFile: FileName?

  func validate() throws {
    if [givenType != nil, isString, isText].count(where: \.self) > 1 {
      throw ValidationError("Give one type.")
    }
  }

  var type: ValueType { givenType ?? (isText ? .text : isString ? .string : .json) }

  /// Reads the value; what it becomes depends on the document, and on the place where it is to stand.
  func prepared(
    _ argument: TextArgument?, _ reading: JSONReading, into file: FileName,
    _ invocation: Invocation, matching: ContentMatching = .exact
  ) throws -> (Document, JSONPointer) throws -> DocumentNode {
    guard (argument == nil) != (valueFile == nil) else {
      let words = argument == nil ? ", or --value-file" : " or --value-file, not both"
      throw Failure(.usage, "give a value\(words)")
    }
    try invocation.checkStandardInput([file] + [valueFile].compactMap(\.self))
    if type == .bytes, let valueFile {
      let node = DocumentNode.value(.bytes(try invocation.readBytes(valueFile)))
      return { _, _ in node }
    }
    let text = try argument?.text ?? valueFile.map { try invocation.readText($0) } ?? ""
    guard type == .json else {
      let node = try type.content(of: text)
      return { _, _ in node }
    }
    let json: JSON
    do throws(JSONReader.Fault) {
      json = try invocation.console.json(
        in: text, from: valueFile, into: invocation.room(in: file))
    } catch {
      let isWord = text.unicodeScalars.first?.properties.isAlphabetic ?? false
      guard isWord, valueFile == nil, givenType == nil else {
        throw ValueType.failure(error, in: valueFile)
      }
      json = .string(text)
    }
    var whole = json
    _ = whole.takeVersionMark()
    return { [whole] document, path in
      do throws(JSONError) {
        let json = path.tokens.isEmpty ? whole : json
        return try reading.node(json, matching) { Shape(of: path, in: document, for: $0) }
      } catch {
        throw Failure(.usage, file: valueFile, "\(error)")
      }
    }
  }
}

extension ValueType {
  /// The content that a text stands for by itself.
  func content(of text: String) throws(Failure) -> DocumentNode {
    guard self == .json else {
      guard let node = reading.node(text) else {
        throw Failure(.usage, "\(quoted(text)) is not \(reading.noun)")
      }
      return node
    }
    let json = try Self.json(in: text)
    do throws(JSONError) {
      return try DocumentNode(json, as: .exact)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// The JSON value of an argument.
  static func json(in text: String) throws(Failure) -> JSON {
    do { return try JSONReader.value(in: Array(text.utf8)) } catch { throw failure(error, in: nil) }
  }

  /// The failure to report when an argument, or a file, is no JSON.
  fileprivate static func failure(_ fault: JSONReader.Fault, in file: FileName?) -> Failure {
    let hint = file == nil ? "; for a string: --string" : ""
    return Failure(.usage, file: file, "the value is not JSON: \(fault)\(hint)")
  }

  /// What a text of the type is called, and the value that it stands for, `nil` if that is none.
  private var reading: (noun: String, node: (String) -> DocumentNode?) {
    switch self {
    case .json: ("JSON", { _ in nil })
    case .string: ("a string", { .value(.string($0)) })
    case .text: ("a text", { .text($0) })
    case .integer: ("an integer of 64 bits", { Int64($0).map { .value(.integer($0)) } })
    case .double: ("a number that a double can hold", { double($0).map { .value(.double($0)) } })
    case .counter: ("an integer of 64 bits", { Int64($0).map { .counter($0) } })
    case .timestamp:
      (
        "a time such as 2026-11-20T14:02:11Z",
        { Timestamp(iso8601: $0).map { .value(.timestamp($0)) } }
      )
    case .uuid: ("a UUID", { UniqueID($0).map { .value(.uuid($0)) } })
    case .bytes: ("base 64", { Base64.decoded($0).map { .value(.bytes($0)) } })
    }
  }

  /// The number as JSON writes it, or the name of what is no number there; `nil` if a double holds
  /// neither it nor one close to it.
  private func double(_ text: String) -> Double? {
    switch text {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    switch try? JSONReader.value(in: Array(text.utf8)) {
    case .integer(let value): return Double(value)
    case .double(let value): return value
    case .null, .bool, .string, .array, .object, nil: return nil
    }
  }
}
