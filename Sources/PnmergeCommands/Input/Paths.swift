import ArgumentParser
import Peernote
import PeernoteJSON

/// Arguments that are paths into a document (RFC 6901), such as `/agenda/0/title`.
enum PathArgument {
  /// Reads an argument; the error says what is wrong with it.
  static func parse(_ argument: String) throws -> JSONPointer {
    guard let text = String(validating: ArgumentText.bytes(for: argument), as: UTF8.self) else {
      throw ValidationError("It is not UTF-8.")
    }
    guard let path = JSONPointer(text) else {
      throw ValidationError(
        text.hasPrefix("/")
          ? "In a path write ~0 for ~ and ~1 for / in a name."
          : "A path begins with /, as in /title; the empty path is the whole document.")
    }
    return path
  }

  /// Reads an argument in which `*` stands for any name or index.
  static func parsePattern(_ argument: String) throws -> JSONPointer {
    let pattern = try parse(argument)
    // It would match nothing but such a name.
    if pattern.tokens.contains("**") {
      throw ValidationError(
        "** is no pattern; * stands for one name or index, as in /items/*/title")
    }
    return pattern
  }
}

extension JSONPointer {
  /// The path as it is shown to people.
  var visible: String { visibleText(words) }

  /// Whether the path leads to what another one does, or into it.
  func isInside(_ other: JSONPointer) -> Bool {
    tokens.count >= other.tokens.count
      && JSONPointer(Array(tokens.prefix(other.tokens.count))) == other
  }
}

/// A document that is to be changed, and the place in it.
struct PlaceArguments: ParsableArguments {
  @Argument(help: .of("file", "The document; - is standard input and output."))
  var file: FileName

  @Argument(help: .of("path", "Where: a JSON Pointer."), transform: PathArgument.parse)
  var path: JSONPointer
}

extension FileName {
  /// The command that does something with a value at a place of the document in the file.
  func advice(_ command: String, at path: JSONPointer, value: String = "VALUE") -> String {
    "pnmerge \(command) \(shellQuoted(self)) \(shellQuoted(path.description)) \(shellQuoted(value))"
  }
}

extension DocumentNode {
  /// Why there is nothing at a path; `nil` if there is something.
  func absence(of path: JSONPointer) -> String? {
    var walked = JSONPointer()
    var node = self
    for token in path.tokens {
      guard let child = node[JSONPointer([token])] else {
        return "\(walked.visible) \(node.holdings(token))"
      }
      walked = walked.appending(token)
      node = child
    }
    return nil
  }

  /// What this holds in place of a child that it has not.
  private func holdings(_ token: String) -> String {
    switch self {
    case .map: return "has no \(quoted(token))"
    case .list(let elements):
      let range = elements.isEmpty ? "" : ", numbered from 0 to \(elements.count - 1)"
      let has = "has \(counted(elements.count, "element"))\(range)"
      if token == "-" { return "\(has); - is the place after its end" }
      return Int(token).map { String($0) == token && $0 >= 0 } ?? false
        ? has : "\(has); \(quoted(token)) is no such number"
    case .set: return "is a set, whose members have no paths"
    case _: return "is \(noun), and holds nothing"
    }
  }

  /// What this is, with its article.
  var noun: String {
    switch shell {
    case .container(let kind): "a \(kind)"
    case .value(.null): "null"
    case .value(.bool(let value)): value ? "true" : "false"
    case .value(.integer), .value(.double): "a number"
    case .value(.string): "a string"
    case .value(.bytes): "bytes"
    case .value(.timestamp): "a time"
    case .value(.uuid): "a UUID"
    }
  }
}

extension EditError {
  /// The reason for people, told by what the document holds.
  func explanation(in root: DocumentNode) -> String {
    switch self {
    case .noSuchPlace(let path):
      if let reason = root.absence(of: path) {
        return "there is nothing at \(path.visible): \(reason)"
      }
    case .wrongKind(let path, let expected):
      if let node = root[path], node.noun != "a \(expected)" {
        return "\(path.visible) is \(node.noun), not a \(expected)"
      }
    case .otherList, .rangeOutsideText, .noSuchPassage, .noSuchChoice, .redacted, .limit: break
    }
    return description
  }
}
