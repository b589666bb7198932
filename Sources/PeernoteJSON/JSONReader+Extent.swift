extension JSONReader {
  /// How much a JSON text holds.
  package struct Extent: Hashable, Sendable {
    /// How many values, names not counted.
    package var values = 0
    /// How many of them are arrays and objects that nothing else can be meant by.
    package var containers = 0
    /// At most so many bytes do they take in a file, without the names.
    package var weight = 0
  }

  /// Counts what a text holds before anything of it is kept.
  ///
  /// Goes by quotation marks, brackets and the like alone; of what is no JSON it says anything.
  /// `mayBeText` says whether a string can become something that takes more, as a text does. O(n)
  /// for n bytes, and no memory.
  package static func extent(of bytes: [UInt8], stringsMayBeTexts mayBeText: Bool) -> Extent {
    var reader = JSONReader(bytes)
    var extent = Extent()
    while reader.position < bytes.count {
      let start = reader.position
      reader.position += 1
      switch bytes[start] {
      case UInt8(ascii: "\""):
        reader.skipString()
        let length = reader.position - start - 2
        reader.skipSpace()
        // A name is no value.
        if reader.next == UInt8(ascii: ":") { continue }
        extent.values += 1
        extent.weight += max(mayBeText ? heaviest : 1, length + (length < 24 ? 1 : 9))
      case UInt8(ascii: "["):
        extent.values += 1
        extent.containers += 1
        extent.weight += 1
      case UInt8(ascii: "{"):
        extent.values += 1
        reader.skipSpace()
        // An object whose only name begins so can stand for a text, a counter and the like.
        if bytes[reader.position...].starts(with: Array("\"$".utf8)) {
          extent.weight += heaviest
        } else {
          extent.containers += 1
          extent.weight += 1
        }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        reader.skipWord()
        let length = reader.position - start
        extent.values += 1
        // The sign of a number counts as a digit.
        extent.weight += bytes[start] >= UInt8(ascii: "a") ? 1 : length < 4 ? length : 9
      default: break
      }
    }
    return extent
  }

  /// What an empty text takes.
  private static let heaviest = 4

  private mutating func skipString() {
    var isEscaped = false
    skip { byte in
      defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
      return isEscaped || byte != UInt8(ascii: "\"")
    }
    // There may be no closing quotation mark.
    skip(UInt8(ascii: "\""))
  }

  private mutating func skipWord() {
    skip { byte in
      let lowercase = byte | 0x20
      return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
  }
}
