#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The C library's functions whose names are those of `SystemFiles`' own methods. Called from here
// they need no module name, which differs from platform to platform.

/// openat(2).
func systemOpen(
  _ directory: Int32, _ name: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t
) -> Int32 {
  unsafe openat(directory, name, flags, mode)
}

#if !canImport(Darwin)
  /// O_PATH, which the C library hides from those who do not ask for it.
  let systemOpenPath: Int32 = 0o10000000
#endif

/// read(2).
package func systemRead(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  unsafe read(descriptor, buffer, count)
}

/// write(2).
package func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, buffer, count)
}

/// close(2), once: after an interruption the descriptor is closed all the same on Linux, and
/// another call could hit another file.
package func systemClose(_ descriptor: Int32) {
  _ = close(descriptor)
}

/// exit(3).
package func systemExit(_ status: Int32) -> Never {
  exit(status)
}

/// The bytes of a C string.
package func systemBytes(of string: UnsafePointer<CChar>) -> [UInt8] {
  let buffer = unsafe UnsafeBufferPointer(start: string, count: strlen(string))
  return unsafe buffer.map { UInt8(bitPattern: $0) }
}

extension HostError {
  /// The error that the C library reported last.
  package static var last: HostError { HostError(code: errno) }

  /// The error with one of the C library's numbers.
  package init(code: Int32) {
    let kind: Kind =
      switch code {
      case ENOENT, ENOTDIR: .notFound
      case EEXIST: .alreadyExists
      case EISDIR: .isDirectory
      case EACCES, EPERM, EROFS: .notPermitted
      case ENOSPC, EDQUOT: .noSpace
      case EFBIG, EOVERFLOW: .tooLarge
      case EWOULDBLOCK, EDEADLK: .busy
      case EPIPE: .closedPipe
      case EIO: .inputOutput
      default: .other
      }
    self.init(kind, Self.explanation(of: code))
  }

  /// The C library's words, as they stand in the middle of a sentence.
  private static func explanation(of code: Int32) -> String {
    guard let pointer = unsafe strerror(code) else { return "error \(code)" }
    let text = unsafe String(cString: pointer)
    // "Input/output error" and the like begin with a capital for no reason of their own.
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// Calls a function of the C library again until no signal interrupts it; throws the error that it
/// reports by returning -1.
@discardableResult
package func checked<Result: SignedInteger>(_ call: () -> Result) throws(HostError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    if errno != EINTR { throw HostError.last }
  }
}

extension FileName {
  /// Calls `body` with the name as a C string.
  package func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let characters = bytes.map { CChar(bitPattern: $0) } + [0]
    return try unsafe characters.withUnsafeBufferPointer { buffer throws(Failure) in
      guard let start = buffer.baseAddress else {
        preconditionFailure("a terminated name has a first byte")
      }
      return unsafe try body(start)
    }
  }
}
