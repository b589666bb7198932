#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
