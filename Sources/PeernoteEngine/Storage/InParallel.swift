internal import Dispatch

/// Does two things that have nothing to do with each other: one after the other, or at the same time
/// if that is worth a thread and there are two processors.
///
/// It is worth one if `isLarge`: each takes many times longer than to start a thread, some 50 µs.
package func inParallel<First, Second>(
  if isLarge: Bool, _ first: () -> First, _ second: () -> Second
) -> (First, Second) {
  guard isLarge else { return (first(), second()) }
  return withoutActuallyEscaping(first) { first in
    withoutActuallyEscaping(second) { second in
      // Each is touched by one thread, and looked at when both have ended.
      nonisolated(unsafe) let work = (first, second)
      nonisolated(unsafe) var one: First?
      nonisolated(unsafe) var other: Second?
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 { unsafe one = work.0() } else { unsafe other = work.1() }
      }
      guard let one = unsafe one, let other = unsafe other else {
        preconditionFailure("both have been done")
      }
      return (one, other)
    }
  }
}
