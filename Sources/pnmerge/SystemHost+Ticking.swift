import Dispatch
import PeernoteFiles
import PnmergeCommands

extension SystemHost {
  func startTicking(_ tick: @escaping @Sendable (Int64, ([UInt8]) -> Void) -> Void) {
    // Signals are for the thread that works: held back by it they must not end the process.
    var all = sigset_t()
    var earlier = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, &earlier)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &earlier, nil) }
    DispatchQueue(label: "ticks").async {
      while true {
        _ = poll(nil, 0, 100)
        tick(SystemHost.monotonicTime) { bytes in
          // A lost line is no reason to stop.
          try? SystemHost.writeAll(bytes[...], to: STDERR_FILENO)
        }
      }
    }
  }
}
