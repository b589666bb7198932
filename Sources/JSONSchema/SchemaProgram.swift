/// A schema made ready for checks; schemas and resources are named by numbers.
struct SchemaProgram: Sendable {
  /// The rules of each schema.
  var rules: [[Rule]]
  /// The resource of each schema; -1 for what is none.
  var resources: [Int]
  var patterns: [SchemaPattern] = []
  /// For each resource, the schemas with a dynamic anchor, by its name in UTF-8.
  var dynamicAnchors: [[[UInt8]: Int]]
  /// For each resource its root if it is recursive.
  var recursiveRoots: [Int?]
  /// Where each schema is, for the few messages that name one.
  var source: SchemaSource
}
