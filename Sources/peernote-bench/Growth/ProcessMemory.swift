import Foundation

/// How much memory this process takes, in bytes, as Linux tells it (proc(5)); nothing elsewhere.
enum ProcessMemory {
  /// What it takes now.
  static var resident: Int? { value(of: "VmRSS") }
  /// The most that it took since the last ``resetPeak()``.
  static var peak: Int? { value(of: "VmHWM") }

  /// Forgets the peak.
  static func resetPeak() {
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  }

  private static func value(of name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return nil
    }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first
        .flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
  }
}
