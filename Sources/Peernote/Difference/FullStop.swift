/// The signs that end a sentence.
enum FullStop {
  /// `!`, `.` and `?`: with white space after them a sentence ends.
  static func needsSpace(_ scalar: UInt32) -> Bool {
    scalar == 0x21 || scalar == 0x2E || scalar == 0x3F
  }
}
