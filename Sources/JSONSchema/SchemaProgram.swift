/// A schema made ready for checks; schemas and resources are named by numbers.
struct SchemaProgram: Sendable {
  /// The rules of each schema.
  let rules: [[Rule]]
  let patterns: [SchemaPattern]
  let index: SchemaIndex
}
