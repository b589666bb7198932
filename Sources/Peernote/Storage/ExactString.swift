/// A string as a dictionary key that is equal to another only if their bytes are.
///
/// `String` itself compares by canonical equivalence, which would take two different keys for one.
struct ExactString: Hashable {
  let string: String

  init(_ string: String) {
    self.string = string
  }

  static func == (left: ExactString, right: ExactString) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
