extension Document {
  /// Removes what other programs have put into optional sections of the file.
  ///
  /// No change records this: a merge with a copy that still has them brings them back. O(1).
  package mutating func removeOptionalSections() { file.unknownSections = [] }

  /// A file without its optional sections if they take more than the limit and nothing else is
  /// wrong with it; else the file as it is.
  ///
  /// O(n log n) where they do, else O(n).
  package static func withoutExcessSections(_ bytes: [UInt8]) -> [UInt8] {
    var limits = Limits()
    limits.optionalSections = .max
    guard let envelope = try? Envelope(bytes, limits: limits),
      envelope.unknownSections.size > Limits().optionalSections,
      var file = try? DocumentFile(bytes, limits: limits)
    else { return bytes }
    file.unknownSections = []
    return file.bytes()
  }
}
