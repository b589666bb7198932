package import PeernoteJSON

/// A JSON Schema of draft 2020-12, 2019-09, 7, 6 or 4 that JSON values are checked against.
///
/// All keywords of the core, applicator, unevaluated and validation vocabularies are checked
/// (``Keyword``). Annotations such as `title` and `format`, and keywords that no draft has, say
/// nothing about validity and are ignored, as the specification asks. Keywords of another draft than
/// the schema's are refused: whoever wrote them expects that they are checked.
package struct Schema: Sendable {
  /// Why something is no schema that can be used.
  package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document that the fault is in, by its place among those given; 0 is the schema.
    package var document = 0
    /// Where in the document.
    package var place: JSONPlace
    package var reason: String
    /// The URI of a schema that is referred to and was not given.
    package var missingSchema: String?

    package var description: String {
      place.tokens.isEmpty ? reason : "at \(place): \(reason)"
    }
  }

  /// A place that is not as the schema says.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// Where in the value.
    package var place: JSONPlace
    /// What must be there, as a clause.
    package var reason: String

    package var description: String {
      "\(place.tokens.isEmpty ? "the whole document" : place.description): \(reason)"
    }
  }

  private let program: SchemaProgram

  /// Takes a JSON value for a schema; it may refer to others, by their names or by their `$id`.
  ///
  /// Relative references start from `uri`, such as the file's, unless there is an `$id`. The steps are
  /// names of the schema that are compared, and parts of regular expressions that are read; else O(n)
  /// for n values in all documents.
  package init(
    _ json: JSON, uri: String = "", others: [SchemaDocument] = [], stepLimit: Int = stepLimit
  ) throws(Fault) {
    let documents = [SchemaDocument(uri: uri, json: json)] + others
    program = try SchemaCompiler(documents, stepLimit: stepLimit).program
  }

  /// The most steps that a check takes, a few seconds' worth: a schema can ask for more than anybody
  /// can wait for.
  package static let stepLimit = 1 << 28

  /// The places where a value is not as the schema says; throws if that takes more steps than a limit,
  /// goes too deep, or a reference leads back to itself.
  package func violations(
    in value: JSON, stepLimit: Int = stepLimit
  ) throws(Fault) -> [Violation] {
    var steps = stepLimit
    let violations = try violations(in: value, steps: &steps)
    guard steps >= 0 else {
      throw Fault(place: JSONPlace(), reason: "checking it takes more than \(stepLimit) steps")
    }
    return violations
  }

  /// The same within a number of steps: parts of the schema or of the value that are looked at, and
  /// those of matching a regular expression.
  ///
  /// What is left of them is negative if they did not suffice, by no more than the schema and the value
  /// are long; then the violations are some of them, or some that are none. Numbers that are not finite
  /// count as the strings they are written as.
  package func violations(in value: JSON, steps: inout Int) throws(Fault) -> [Violation] {
    var check = SchemaCheck(program, steps: steps)
    check.check(value, 0)
    if let fault = check.fault { throw fault }
    steps = check.stepsLeft
    return check.violations
  }
}

/// A JSON value with the name that others refer to it by.
package struct SchemaDocument: Sendable {
  /// An absolute URI, such as the file's; empty if it has no name.
  package var uri: String
  package var json: JSON

  package init(uri: String, json: JSON) {
    (self.uri, self.json) = (uri, json)
  }

  /// A JSON value in a file with an absolute path, in the bytes of the file system.
  package init(path: [UInt8], json: JSON) {
    self.init(uri: "file://" + URIReference.escaped(path, keeping: "/"), json: json)
  }
}
