package import Peernote

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files, clock and random bits of the machine, by way of the C library.
///
/// A protocol, so that the program's own host can be one besides what else it is.
package protocol SystemFiles: FileSystem {
  /// The signals that are held back on behalf of this process.
  var heldSignals: HeldSignals { get set }
  /// The directories below which no symbolic link is followed.
  var confinedRoots: [FileName] { get set }
}

/// Signals that wait until a file is in its place.
package struct HeldSignals {
  /// How many callers hold signals back.
  var count = 0
  /// The signals that were blocked before.
  var earlier = sigset_t()

  /// None is held back.
  package init() {}
}

/// The files of the machine, for programs that bring no host of their own.
///
/// For one thread, and one replacement of a file: each makes one of its own.
package final class SystemFileSystem: SystemFiles {
  package var heldSignals = HeldSignals()
  package var confinedRoots: [FileName] = []

  package init() {}
}

extension SystemFiles {
  /// The time now.
  package var now: Timestamp { .now }

  /// Milliseconds that pass evenly, from an arbitrary start.
  package var monotonicMilliseconds: Int64 { Self.monotonicTime }

  /// Likewise.
  package static var monotonicTime: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.nanoseconds / 1_000_000
  }

  package func randomBits() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}

extension timespec {
  /// The time in nanoseconds.
  var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}
