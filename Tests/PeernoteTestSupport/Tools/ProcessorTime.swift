import Foundation

/// How much of a processor work takes, whatever else the machine does meanwhile.
package enum ProcessorTime {
  /// What the calling thread has taken so far.
  package static var ofThread: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// How many times as long one piece of work takes as another.
  ///
  /// Each is done five times by turns, and its shortest time counts. The work must stay on the
  /// calling thread.
  package static func ratio(of work: () throws -> Void, to other: () throws -> Void) rethrows
    -> Double
  {
    var (time, otherTime) = (Duration.seconds(1 << 20), Duration.seconds(1 << 20))
    for _ in 0..<5 {
      time = min(time, try measured(work))
      otherTime = min(otherTime, try measured(other))
    }
    return time / otherTime
  }

  private static func measured(_ work: () throws -> Void) rethrows -> Duration {
    let start = ofThread
    try work()
    return ofThread - start
  }
}
