/// The keys of a map that a structure knows, whether it has something under them or not.
///
/// Those that it coded, and all that are its coding keys if these are few, as those that the compiler
/// makes: a property that codes itself only at times, and the cases of an enumeration.
struct KnownKeys: Sendable {
  /// A key that nothing but a type for any key at all takes for one of its own.
  private static let anyKey = "\u{10FFFF} any key"

  private var coded: Set<Value> = []
  private var areKeys: [@Sendable (String) -> Bool] = []

  /// Notes the coding keys of a type.
  mutating func note<Key: CodingKey>(_ type: Key.Type) {
    if Key(stringValue: Self.anyKey) == nil { areKeys.append { Key(stringValue: $0) != nil } }
  }

  /// Notes a key that was coded.
  mutating func note(_ key: String) {
    coded.insert(.string(key))
  }

  /// Whether a structure knows a key.
  func contains(_ key: String) -> Bool {
    coded.contains(.string(key)) || areKeys.contains { $0(key) }
  }
}
