import ArgumentParser

/// Reads numbers on the command line.
enum IntegerArgument {
  /// Reads a number that is at least `lowest`; the error says what is expected.
  static func parse<Value: FixedWidthInteger>(
    _ argument: String, from lowest: Value = .min
  ) throws -> Value {
    guard let value = Value(argument), value >= lowest else {
      throw ValidationError(
        "An integer\(lowest > .min ? " from \(lowest)" : "") is expected, of 64 bits.")
    }
    return value
  }
}
