import PnmergeCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemHost {
  /// Sees to it that no file we open takes the number of a standard stream that was closed when
  /// we were started: what we say would be written into it.
  ///
  /// Such a stream gets a placeholder that can only be used the other way round, so that using it
  /// fails as before. The programs that we run do not get it.
  static func occupyStandardStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      let access = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
      // The lowest free number is taken, which is this one.
      let placeholder = try? open(FileName("/dev/null"), access)
      guard placeholder == descriptor else { systemExit(ExitStatus.ioError.rawValue) }
    }
  }

  func write(_ bytes: [UInt8], to stream: OutputStream) throws(HostError) {
    switch stream {
    case .output: try Self.writeAll(bytes, to: STDOUT_FILENO)
    case .error: try Self.writeAll(bytes, to: STDERR_FILENO)
    }
  }

  func isTerminal(_ stream: StandardStream) -> Bool {
    let descriptor =
      switch stream {
      case .input: STDIN_FILENO
      case .output: STDOUT_FILENO
      case .error: STDERR_FILENO
      }
    return isatty(descriptor) == 1
  }

  func readLineFromTerminal() throws(HostError) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = try checked { unsafe systemRead(STDIN_FILENO, &byte, 1) }
      if count == 0 { return line.isEmpty ? nil : line }
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
  }
}
