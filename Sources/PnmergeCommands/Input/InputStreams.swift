import Peernote

/// What came from standard input and pipes, which can be read only once.
struct InputStreams {
  private var contents: [FileName: [UInt8]] = [:]
  /// The changes that were left out of what was read.
  var leftOut: Set<ChangeID> = []

  /// Reads a file; what a stream gave is kept for the next time.
  mutating func read(
    _ file: FileName, _ invocation: Invocation
  ) throws(Failure) -> [UInt8] {
    if let bytes = contents[file] { return bytes }
    let bytes = try invocation.readDocumentBytes(file)
    if file.isStandardStream || Self.isPipe(file, invocation) { contents[file] = bytes }
    return bytes
  }

  /// Whether a name leads to neither a file nor a directory.
  static func isPipe(_ file: FileName, _ invocation: Invocation) -> Bool {
    let identity = try? invocation.host.identity(of: file, followingLinks: true)
    return identity?.kind == .other
  }
}
