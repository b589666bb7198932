import ArgumentParser

/// Reads numbers on the command line.
enum IntegerArgument {
  /// Reads a number that is at least `lowest`; the error says what is expected.
  static func parse<Value: FixedWidthInteger>(
    _ argument: String, from lowest: Value = .min
  ) throws -> Value {
    guard let value = Value(argument), value >= lowest else {
      let kind = lowest > .min ? "from \(lowest)" : "of \(Value.bitWidth) bits"
      throw ValidationError("An integer \(kind) is expected.")
    }
    return value
  }
}
