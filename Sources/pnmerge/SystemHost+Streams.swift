import PnmergeCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemHost {
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
