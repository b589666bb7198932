#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
