/// The lines in a hook (githooks(5)) that call us.
///
/// They stand right after the first line, since scripts may end anywhere; to add and remove them
/// gives the same bytes again.
struct HookFile {
  /// The hooks that we know something to do for.
  enum Event: String, CaseIterable {
    case preCommit = "pre-commit"
  }

  var event: Event
  /// The program as a word for a shell.
  var program: [UInt8]

  private static let firstLine = "#!/bin/sh\n"
  private static let begin = "# pnmerge git install --hooks: begin\n"
  private static let end = "# pnmerge git install --hooks: end\n"

  private var block: [UInt8] {
    Array(Self.begin.utf8) + Array("if command -v ".utf8) + program
      + Array(" >/dev/null 2>&1; then ".utf8) + program
      + Array(" git hook \(event.rawValue) || exit; fi\n".utf8) + Array(Self.end.utf8)
  }

  /// The hook with our lines; `nil` if it is written in another language than that of sh(1).
  func adding(to bytes: [UInt8]?) -> [UInt8]? {
    guard let bytes else { return Array(Self.firstLine.utf8) + block }
    let rest = Self.removing(from: bytes) ?? bytes
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), rest.starts(with: "#!".utf8),
      let shell = rest[..<end].split(whereSeparator: { "/ \t\r".utf8.contains($0) }).last,
      ["sh", "bash", "dash", "ksh", "zsh", "-e"].contains(where: { shell.elementsEqual($0.utf8) })
    else { return nil }
    return Array(rest[...end]) + block + rest[(end + 1)...]
  }

  /// The hook without our lines; `nil` if it has none.
  static func removing(from bytes: [UInt8]) -> [UInt8]? {
    guard let start = bytes.range(of: begin)?.lowerBound,
      let end = bytes[start...].range(of: end)?.upperBound
    else { return nil }
    return Array(bytes[..<start]) + bytes[end...]
  }

  /// Whether nothing but what we write ourselves is left.
  static func isEmpty(_ bytes: [UInt8]) -> Bool { bytes.elementsEqual(firstLine.utf8) }
}
