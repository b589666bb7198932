// The C library's functions whose names are those of `SystemFiles`' own methods. Called from here
// they need no module name, which differs from platform to platform.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// open(2).
func systemOpen(_ name: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(name, flags, mode)
}

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

/// rename(2).
package func systemRename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
  unsafe rename(from, to)
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
