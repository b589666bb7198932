/// The regular expressions of a schema that were read, to be matched again and again.
struct PatternCache {
  private var patterns: [String: SchemaPattern] = [:]
  private var size = 0

  /// The most parts of expressions that are kept; then all are read anew.
  private static let sizeLimit = 1 << 20

  /// Reads an expression unless it is known, and takes off the steps that this needs.
  ///
  /// - Parameters:
  ///   - text: the expression.
  ///   - steps: a step is a part of the expression.
  /// - Returns: the expression; `nil` if it is none.
  mutating func pattern(_ text: String, steps: inout Int) -> SchemaPattern? {
    if let known = patterns[text] { return known }
    guard let pattern = try? SchemaPattern(text) else { return nil }
    steps -= pattern.size
    if size + pattern.size > Self.sizeLimit { (patterns, size) = ([:], 0) }
    patterns[text] = pattern
    size += pattern.size
    return pattern
  }
}
