// The C library's functions whose names are those of `SystemFiles`' own methods. Called from here
// they need no module name, which differs from platform to platform.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
