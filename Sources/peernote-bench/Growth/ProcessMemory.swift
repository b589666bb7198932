import Foundation

/// How much memory a process takes, in bytes, as Linux tells it (proc(5)); nothing elsewhere.
enum ProcessMemory {
  /// What this process takes now.
  static var resident: Int? { value(of: "VmRSS") }
  /// The most that this process took since the last ``resetPeak()``.
  static var peak: Int? { value(of: "VmHWM") }

  /// Forgets the peak.
  static func resetPeak() {
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  }

  /// What another process takes now.
  static func resident(of process: Int32) -> Int? { value(of: "VmRSS", "\(process)") }

  /// The most that another process has taken so far.
  static func peak(of process: Int32) -> Int? { value(of: "VmHWM", "\(process)") }

  private static func value(of name: String, _ process: String = "self") -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first
        .flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
  }
}
