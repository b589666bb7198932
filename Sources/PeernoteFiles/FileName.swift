import PeernoteJSON

/// The name of a file as the system knows it: bytes without a NUL, in no particular encoding.
public struct FileName: Hashable, Sendable {
  /// The bytes of the name, without a terminator.
  public var bytes: [UInt8]

  /// Names the file with these bytes.
  public init(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Names the file with the UTF-8 bytes of `string`.
  public init(_ string: String) {
    self.init(bytes: string.utf8)
  }
}

extension FileName: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Names the file with the UTF-8 bytes of a literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// The name as it is shown to people: what is not text or would act on a terminal is escaped.
  public var description: String { visible }
}

extension FileName: Comparable {
  /// Orders by bytes.
  public static func < (left: FileName, right: FileName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension FileName {
  /// The longest name of a directory entry on common file systems, in bytes.
  package static let longestComponent = 255

  /// Whether the name is `-`, which stands for standard input or output.
  package var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }

  /// Whether the name begins at the root directory.
  package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

  /// What follows the last slash; the whole name if there is none.
  package var lastComponent: FileName {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
    return FileName(bytes: bytes[(slash + 1)...])
  }

  /// Whether the last component has an ending, as in `a.html`.
  package var hasSuffix: Bool {
    lastComponent.bytes.dropFirst().dropLast().contains(UInt8(ascii: "."))
  }

  /// What precedes the last slash, `.` if there is none, and `/` for entries of the root.
  package var directory: FileName {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FileName(".") }
    return slash == 0 ? FileName("/") : FileName(bytes: bytes[..<slash])
  }

  /// The last component without its extension.
  package var stem: FileName {
    let name = lastComponent.bytes
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else {
      return FileName(bytes: name)
    }
    return FileName(bytes: name[..<dot])
  }

  /// The entry `name` of this directory.
  package func appending(_ name: FileName) -> FileName {
    bytes.last == UInt8(ascii: "/")
      ? FileName(bytes: bytes + name.bytes)
      : FileName(bytes: bytes + [UInt8(ascii: "/")] + name.bytes)
  }

  /// The entry `name` of this directory.
  package func appending(_ name: String) -> FileName {
    appending(FileName(name))
  }

  /// This name, with `base` in front unless it is absolute already.
  package func absolute(from base: FileName) -> FileName {
    isAbsolute ? self : base.appending(self)
  }

  /// The name of a file to read, as it is shown to people.
  package var inputName: String { isStandardStream ? "standard input" : visible }

  /// The name of a file to write, as it is shown to people.
  package var outputName: String { isStandardStream ? "standard output" : visible }

  /// The name as it is shown to people: what is not text or would act on a terminal is escaped.
  package var visible: String { visibleText(of: bytes) }

  /// The name in visible ASCII without spaces: other bytes, and `%`, as `%` and two digits.
  package var percentEncoded: String {
    var result = ""
    for byte in bytes {
      if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + hexadecimal([byte])
      }
    }
    return result
  }

  /// Reads what ``percentEncoded`` writes; `nil` if a `%` stands before anything but two digits.
  package init?(percentEncoded text: String) {
    guard let bytes = percentDecoded(text) else { return nil }
    self.init(bytes: bytes)
  }
}
