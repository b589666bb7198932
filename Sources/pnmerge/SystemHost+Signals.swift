import PnmergeCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Signals are held back while a temporary file exists and do what they always do otherwise. So
/// no handler is needed, and an interrupted process still ends by the signal, as shells expect.
extension SystemHost {
  /// The signals that end a process on a user's or the system's behalf.
  private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  func holdSignals() {
    holdCount += 1
    guard holdCount == 1 else { return }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in Self.endingSignals { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &earlierSignals)
  }

  func releaseSignals() {
    precondition(holdCount > 0, "signals are released as often as they are held")
    holdCount -= 1
    guard holdCount == 0 else { return }
    unsafe pthread_sigmask(SIG_SETMASK, &earlierSignals, nil)
  }

  var isInterrupted: Bool {
    guard holdCount > 0 else { return false }
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return Self.endingSignals.contains { signal in unsafe sigismember(&pending, signal) == 1 }
  }
}
