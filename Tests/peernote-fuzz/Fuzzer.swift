import CLibFuzzer
import Foundation
import PeernoteFuzzing
import Synchronization

/// libFuzzer with one of our targets.
enum Fuzzer {
  private static let target = Mutex(FuzzTarget.file)

  /// Feeds a target with inputs until one of them shows a fault, which ends the process.
  ///
  /// - Parameters:
  ///   - target: what to feed.
  ///   - options: directories with inputs, and libFuzzer's options.
  /// - Returns: the exit status.
  static func run(_ target: FuzzTarget, options: [String]) -> Int32 {
    self.target.withLock { $0 = target }
    var vector = unsafe ([CommandLine.arguments[0]] + options).map { unsafe strdup($0) } + [nil]
    var count = Int32(options.count + 1)
    return unsafe vector.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe LLVMFuzzerRunDriver(&count, &start) { data, size in
        unsafe Fuzzer.check(UnsafeBufferPointer(start: data, count: size))
        return 0
      }
    }
  }

  private static func check(_ input: UnsafeBufferPointer<UInt8>) {
    let faults = unsafe target.withLock { $0 }.faults(Array(input))
    if !faults.isEmpty { fatalError(faults.joined(separator: "; ")) }
  }
}
