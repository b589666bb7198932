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

    /// Whether two are the same byte by byte.
    package static func == (left: Self, right: Self) -> Bool {
      left.place == right.place && left.reason.utf8.elementsEqual(right.reason.utf8)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(place)
      hasher.combine(Array(reason.utf8))
    }
  }

  private let program: SchemaProgram

  /// Takes a JSON value for a schema.
  ///
  /// - Parameters:
  ///   - json: the schema.
  ///   - uri: the name that relative references start from, such as the file's; `$id` overrides it.
  ///   - others: schemas that it may refer to, by their names or by their `$id`.
  ///   - stepLimit: how many names of the schema may be compared, and parts of regular expressions
  ///     read.
  /// - Throws: ``Fault`` if it is none that can be used, or to find that out takes more steps.
  /// - Complexity: O(*n*) for *n* values in all documents, besides the steps.
  package init(
    _ json: JSON, uri: String = "", others: [SchemaDocument] = [], stepLimit: Int = stepLimit
  ) throws(Fault) {
    let documents = [SchemaDocument(uri: uri, json: json)] + others
    program = try SchemaCompiler(documents, stepLimit: stepLimit).program
  }

  /// The most steps that a check takes, a few seconds' worth: a schema can ask for more than anybody
  /// can wait for.
  package static let stepLimit = 1 << 28

  /// The places where a value is not as the schema says.
  ///
  /// - Throws: ``Fault`` if that takes more steps than a limit, or goes too deep.
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

  /// The same within a number of steps.
  ///
  /// A step is a part of the schema or of the value that is looked at, or one of matching a
  /// regular expression.
  ///
  /// - Parameters:
  ///   - value: what is checked. Numbers that are not finite count as the strings they are written
  ///     as.
  ///   - steps: how many steps it may take; then what is left of them, which is negative if they
  ///     did not suffice, by no more than the schema and the value are long.
  /// - Returns: the violations; some of them, or some that are none, if the steps did not suffice.
  /// - Throws: ``Fault`` if it goes too deep, or a reference leads back to itself.
  package func violations(in value: JSON, steps: inout Int) throws(Fault) -> [Violation] {
    var check = SchemaCheck(program, steps: steps)
    _ = check.check(value, 0, marking: false)
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

  /// A JSON value in a file.
  ///
  /// - Parameters:
  ///   - path: the absolute path, in the bytes of the file system.
  ///   - json: what the file holds.
  package init(path: [UInt8], json: JSON) {
    self.init(uri: "file://" + URIReference.escaped(path, keeping: "/"), json: json)
  }
}
