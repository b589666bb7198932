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

/// A file for the system: a directory that is open, and a name in it.
struct SystemPlace: ~Copyable {
  /// The directory; that in which the process works if the name says all.
  let directory: Int32
  let name: FileName
  /// Whether no symbolic link is to be followed.
  let isConfined: Bool

  /// A name that says all.
  init(_ name: FileName) {
    (directory, self.name, isConfined) = (AT_FDCWD, name, false)
  }

  fileprivate init(_ name: FileName, in directory: Int32) {
    (self.directory, self.name, isConfined) = (directory, name, true)
  }

  deinit { if isConfined { systemClose(directory) } }
}

extension SystemFiles {
  package func confine(below root: FileName) {
    if !confinedRoots.contains(root) { confinedRoots.append(root) }
  }

  /// The confined root that a file is below, and the names on the way from there.
  func confinement(of file: FileName) -> (root: FileName, parts: [ArraySlice<UInt8>])? {
    let slash = UInt8(ascii: "/")
    for root in confinedRoots {
      var start = root.bytes.count + (root.bytes.last == slash ? 0 : 1)
      if root.bytes == [UInt8(ascii: ".")], file.bytes.first != slash {
        start = 0
      } else {
        guard file.bytes.count > start, file.bytes.starts(with: root.bytes),
          file.bytes[start - 1] == slash
        else { continue }
      }
      let parts = file.bytes[start...].split(separator: slash)
        .filter { !$0.elementsEqual(".".utf8) }
      if !parts.isEmpty, parts.dropLast().allSatisfy(Self.isOurs) { return (root, parts) }
    }
    return nil
  }

  /// Where a file is, with all directories on the way from its confined root open, none of which is a
  /// link.
  func place(of file: FileName) throws(HostError) -> SystemPlace {
    guard let (root, parts) = confinement(of: file), let last = parts.last else {
      return SystemPlace(file)
    }
    var directory = try Self.openDirectory(root, in: AT_FDCWD, noFollow: 0)
    for part in parts.dropLast() {
      let above = directory
      defer { systemClose(above) }
      directory = try Self.openDirectory(
        FileName(bytes: Array(part)), in: directory, noFollow: O_NOFOLLOW)
    }
    return SystemPlace(FileName(bytes: Array(last)), in: directory)
  }

  /// Whether a directory is one that folders look into.
  private static func isOurs(_ name: ArraySlice<UInt8>) -> Bool {
    name.first != UInt8(ascii: ".") || name.elementsEqual(".peernote".utf8)
  }

  private static func openDirectory(
    _ name: FileName, in directory: Int32, noFollow: Int32
  ) throws(HostError) -> Int32 {
    #if canImport(Darwin)
      let flags = O_RDONLY
    #else
      // It need not be readable.
      let flags = systemOpenPath
    #endif
    return unsafe try name.withCString { name throws(HostError) in
      try checked {
        unsafe systemOpen(directory, name, flags | O_DIRECTORY | O_CLOEXEC | noFollow, 0)
      }
    }
  }

  /// Calls a function of the C library with a directory and a name in it.
  func call(
    _ file: FileName,
    _ function: (Int32, UnsafePointer<CChar>, _ noFollow: (Int32) -> Int32) -> Int32
  ) throws(HostError) -> Int32 {
    let place = try place(of: file)
    let (directory, isConfined) = (place.directory, place.isConfined)
    return unsafe try place.name.withCString { name throws(HostError) in
      try checked { unsafe function(directory, name, { isConfined ? $0 : 0 }) }
    }
  }

  /// Calls a function of the C library with two names.
  func call(
    _ first: FileName, _ second: FileName,
    _ function: (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32
  ) throws(HostError) {
    let from = try place(of: first)
    let to = try place(of: second)
    let (source, target) = (from.directory, to.directory)
    try unsafe from.name.withCString { first throws(HostError) in
      try unsafe to.name.withCString { second throws(HostError) in
        _ = try checked { unsafe function(source, first, target, second) }
      }
    }
  }
}
