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
  /// Whether pipes and devices are read, too, and waited for.
  var readsPipes: Bool { get }
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
  package var readsPipes: Bool { false }

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

/// Signals are held back while a temporary file exists and do what they always do otherwise. So
/// no handler is needed, and an interrupted process still ends by the signal, as shells expect.
extension SystemFiles {
  /// The signals that end a process on a user's or the system's behalf.
  private static var endingSignals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT] }

  package func holdSignals() {
    heldSignals.count += 1
    guard heldSignals.count == 1 else { return }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in Self.endingSignals { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &heldSignals.earlier)
  }

  package func releaseSignals() {
    precondition(heldSignals.count > 0, "signals are released as often as they are held")
    heldSignals.count -= 1
    guard heldSignals.count == 0 else { return }
    unsafe pthread_sigmask(SIG_SETMASK, &heldSignals.earlier, nil)
  }

  package var isInterrupted: Bool {
    guard heldSignals.count > 0 else { return false }
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return Self.endingSignals.contains { signal in unsafe sigismember(&pending, signal) == 1 }
  }
}

/// What an attempt to lock found.
enum LockState {
  /// The lock was free and is ours now.
  case free
  /// Another process has it.
  case taken
  /// The file system knows no locks.
  case unsupported
}

extension SystemFiles {
  /// How long to wait between two attempts, in microseconds.
  private static var pauses: [UInt32] { [200, 500, 1000, 2000, 5000] }

  /// How long a lock is waited for before that is told, in milliseconds.
  private static var silence: Int64 { 1000 }

  package func lock(
    _ file: FileName, waiting milliseconds: Int, whenWaiting: () -> Void
  ) throws(HostError) -> FileLock {
    let start = monotonicMilliseconds
    let end = start + Int64(milliseconds)
    var isTold = false
    var attempt = 0
    while true {
      let descriptor = try openForLocking(file)
      do throws(HostError) {
        switch try Self.tryLock(descriptor) {
        case .unsupported: return FileLock(number: descriptor)
        case .free:
          // Whoever had the lock may have put another file under the name.
          let now = try identity(of: file, followingLinks: true)
          if try now?.isSameFile(as: Self.identity(of: descriptor)) ?? false {
            return FileLock(number: descriptor)
          }
        case .taken:
          let now = monotonicMilliseconds
          guard now < end else {
            throw HostError(.busy, "is locked by another process; try again")
          }
          if !isTold, now - start >= Self.silence {
            isTold = true
            whenWaiting()
          }
          usleep(Self.pauses[min(attempt, Self.pauses.count - 1)])
          attempt += 1
        }
      } catch {
        systemClose(descriptor)
        throw error
      }
      systemClose(descriptor)
    }
  }

  package func unlock(_ lock: FileLock) {
    systemClose(lock.number)
  }

  /// Opens a file to lock it: for writing if allowed, since some network file systems want that.
  private func openForLocking(_ file: FileName) throws(HostError) -> Int32 {
    do {
      return try open(file, O_RDWR | O_NONBLOCK)
    } catch {
      return try open(file, O_RDONLY | O_NONBLOCK)
    }
  }

  /// Locks an open file without waiting.
  static func tryLock(_ descriptor: Int32) throws(HostError) -> LockState {
    do {
      try checked { flock(descriptor, LOCK_EX | LOCK_NB) }
      return .free
    } catch {
      return error.kind == .busy ? .taken : .unsupported
    }
  }
}
