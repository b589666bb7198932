/// A string as a dictionary key that is equal to another only if their bytes are.
///
/// `String` itself compares by canonical equivalence, which would take two different keys for one.
struct ExactString: Hashable {
  let string: String

  init(_ string: String) {
    self.string = string
  }

  static func == (left: ExactString, right: ExactString) -> Bool {
    var (left, right) = (left.string, right.string)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        unsafe left.count == right.count && left.elementsEqual(right)
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
