import PeernoteJSON
public import PeernoteEngine

/// How content is written as JSON, and read.
public enum JSONForm: String, CaseIterable, Hashable, Sendable {
  /// As other programs expect it: no type is marked.
  ///
  /// Texts are strings, lists and sets arrays, counters numbers; bytes are strings in base 64, times
  /// strings as in ISO 8601, UUIDs strings, and doubles that are no numbers in JSON the strings
  /// `NaN`, `Infinity` and `-Infinity`. So the JSON alone does not tell a text or a time from a
  /// string, a set from a list, a counter from an integer; ``Document/node(fromJSON:as:at:roundingNumbers:)``
  /// takes the types from what the document holds. Of members of a set that are written alike, such
  /// as no bytes and an empty string, one is left then. Read by itself, all objects are maps, all arrays
  /// lists, and all else values.
  case plain
  /// As plain JSON where that tells the type: maps, lists, and null, truth values, finite numbers and
  /// strings as values. All else is an object with one member, whose name tells the type:
  ///
  /// | in JSON | stands for |
  /// |---|---|
  /// | `{"$text": "…"}` | a text |
  /// | `{"$set": […]}` | a set |
  /// | `{"$counter": 5}` | a counter |
  /// | `{"$bytes": "…"}` | bytes, in base 64 |
  /// | `{"$timestamp": "2026-11-20T14:02:11Z"}` | a time |
  /// | `{"$uuid": "…"}` | a UUID |
  /// | `{"$double": "NaN"}` | a double that is no number in JSON |
  ///
  /// A map with one key that would look like that has one more `$` in front of it. Nothing of the
  /// content is lost: what is read is equal to what was written. It does not hold the history, and
  /// so neither conflicts nor deleted text.
  case exact
}

/// Why a JSON text cannot become content.
public enum JSONError: Error, Hashable, Sendable {
  /// It is no JSON (RFC 8259), or JSON that two programs may understand differently: a name stands
  /// twice in one object, an integer fits neither 64 bits nor a double, an escape stands for no
  /// character. Line and column count from 1, columns in Unicode scalars.
  case malformed(line: Int, column: Int, reason: String)
  /// A number has more digits than a double keeps; with the double that is nearest to it.
  case inexact(line: Int, column: Int, number: String, nearest: Double)
  /// It is JSON, but what stands at the path stands for no content.
  case noContent(JSONPointer, reason: String)
}

extension JSONError: CustomStringConvertible {
  /// The place and the reason.
  public var description: String {
    switch self {
    case .malformed(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .inexact(let line, let column, let number, let nearest):
      "line \(line), column \(column): the number \(number) has more digits than are kept; the "
        + "nearest is \(nearest)"
    case .noContent(let path, let reason) where path.tokens.isEmpty: reason
    case .noContent(let path, let reason): "at \(path): \(reason)"
    }
  }
}

extension DocumentNode {
  /// The content as a JSON text, without a line end.
  ///
  ///     let text = document.root.json(as: .exact)
  ///     let root = try DocumentNode(json: text, as: .exact)
  ///
  /// Control characters, and those that change the direction of writing, are escaped. O(n).
  ///
  /// - Parameters:
  ///   - form: whether types that JSON does not know are marked.
  ///   - isIndented: whether each member and element has its own line, indented by two spaces a
  ///     level.
  /// - Returns: the text.
  public func json(as form: JSONForm, indented isIndented: Bool = false) -> String {
    let json =
      switch form {
      case .plain: self.json
      case .exact: exactJSON
      }
    return String(decoding: json.bytes(indented: isIndented), as: UTF8.self)
  }

  /// Reads the content that a JSON text stands for by itself.
  ///
  /// Objects become maps, arrays lists, numbers without fraction and exponent integers, other numbers
  /// doubles, and strings values; in the exact form an object with a mark becomes what the mark says.
  /// O(n log n).
  ///
  /// - Parameters:
  ///   - text: one JSON value, nested at most 128 levels deep; a byte order mark before it is skipped.
  ///   - form: whether objects such as `{"$text": "…"}` are marks, or maps like all others.
  ///   - roundsNumbers: whether a number with more digits than a double keeps is read as the nearest
  ///     double; else it is an error.
  /// - Throws: ``JSONError`` with the first place that cannot be read.
  public init(
    json text: String, as form: JSONForm, roundingNumbers roundsNumbers: Bool = false
  ) throws(JSONError) {
    let result: (value: JSON, rounding: JSONReader.Rounding?)
    do throws(JSONReader.Fault) {
      result = try JSONReader.read(Array(text.utf8))
    } catch {
      throw .malformed(line: error.line, column: error.column, reason: error.reason)
    }
    if let first = result.rounding, !roundsNumbers {
      throw .inexact(
        line: first.line, column: first.column, number: first.first, nearest: first.value)
    }
    self = try DocumentNode(result.value, as: form).sorted
  }
}

extension Document {
  /// The content as a JSON text, without a line end; the keys of each map in the order in which they
  /// were first written.
  ///
  /// It does not hold the history. O(n log n).
  ///
  /// - Parameters:
  ///   - form: whether types that JSON does not know are marked.
  ///   - isIndented: whether each member and element has its own line.
  /// - Returns: the text.
  public func json(as form: JSONForm, indented isIndented: Bool = false) -> String {
    rootInOrderOfWriting.json(as: form, indented: isIndented)
  }

  /// Reads the content that a JSON text stands for at a place of this document, with the types of
  /// what is there.
  ///
  /// So a document can be written as plain JSON, changed by any program, and read again. What JSON
  /// alone does not tell is as the document has it at the same place: a string where a text is stands
  /// for a text, an integer where a counter or a double is for one of these, an array where a set is for a set, and a
  /// string where bytes, a time or a UUID are for these, if it can be read so. An element of a list has
  /// the types of the one that it is: by `id`, by its content, or by how like they are, and in a list
  /// of as many elements by its place. What is new has the types that all elements there have in
  /// common. What the document knows nothing of is read as
  /// ``DocumentNode/init(json:as:roundingNumbers:)`` reads it, which reads exact JSON as it was written.
  ///
  /// The document stays as it is; ``Editor/replaceContent(at:with:identityKeys:)`` edits what differs:
  ///
  ///     let content = try document.node(fromJSON: edited, as: .plain)
  ///     try document.change(by: session) { editor in
  ///       try editor.replaceContent(at: JSONPointer(), with: content)
  ///     }
  ///
  /// Near-linear in the size of the text and of what is there.
  ///
  /// - Parameters:
  ///   - text: one JSON value; for the whole document an object.
  ///   - form: whether objects such as `{"$text": "…"}` are marks, or maps like all others.
  ///   - path: where the content is to stand; the whole document if nothing is given.
  ///   - roundsNumbers: whether a number with more digits than a double keeps is read as the nearest
  ///     double; else it is an error.
  /// - Returns: the content.
  /// - Throws: ``JSONError`` with the first place that cannot be read.
  public func node(
    fromJSON text: String, as form: JSONForm, at path: JSONPointer = JSONPointer(),
    roundingNumbers roundsNumbers: Bool = false
  ) throws(JSONError) -> DocumentNode {
    let new = try DocumentNode(json: text, as: form, roundingNumbers: roundsNumbers)
    let node = new.adapted(to: Shape(of: path, in: self, for: new))
    return path.tokens.isEmpty ? try node.checkedAsRoot() : node
  }
}
