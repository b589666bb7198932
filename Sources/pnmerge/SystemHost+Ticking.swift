import PeernoteFiles
import PnmergeCommands

/// What another thread does again and again.
private final class Ticker: Sendable {
  /// Between two ticks, in milliseconds.
  private static let pause: Int32 = 100
  let tick: @Sendable (Int64, ([UInt8]) -> Void) -> Void

  init(_ tick: @escaping @Sendable (Int64, ([UInt8]) -> Void) -> Void) { self.tick = tick }

  func run() -> Never {
    while true {
      _ = poll(nil, 0, Self.pause)
      tick(SystemHost.monotonicTime) { bytes in
        // A lost line is no reason to stop.
        try? SystemHost.writeAll(bytes, to: STDERR_FILENO)
      }
    }
  }
}

extension SystemHost {
  func startTicking(_ tick: @escaping @Sendable (Int64, ([UInt8]) -> Void) -> Void) {
    // Signals are for the thread that works: held back by it they must not end the process.
    var all = sigset_t()
    var earlier = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, &earlier)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &earlier, nil) }
    let ticker = unsafe Unmanaged.passRetained(Ticker(tick))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        #if !canImport(Darwin)
          guard let context = unsafe context else { return nil }
        #endif
        unsafe Unmanaged<Ticker>.fromOpaque(context).takeRetainedValue().run()
      }, ticker.toOpaque())
    if status != 0 { unsafe ticker.release() }
  }
}
