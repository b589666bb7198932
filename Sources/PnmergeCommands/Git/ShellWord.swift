/// A word in a command for sh(1).
enum ShellWord {
  /// What a word stands for; `nil` if only a shell could tell, which might run something then.
  static func literal(_ word: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = Array(word)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "'"):
        guard let end = rest.firstIndex(of: byte) else { return nil }
        result += rest[..<end]
        rest = rest[(end + 1)...]
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst(), next != UInt8(ascii: "\n") else { return nil }
        result.append(next)
      case _ where FileName.standsForItself(byte): result.append(byte)
      default: return nil
      }
    }
    return result
  }
}
