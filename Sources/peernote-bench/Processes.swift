import ArgumentParser
import Foundation

/// Which program a benchmark runs.
struct ProgramOption: ParsableArguments {
  @Option(help: "The program; by default the one beside this.", completion: .file())
  var pnmerge: String?

  /// The program's file.
  var path: String {
    let beside = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "pnmerge")
    return (pnmerge.map { URL(filePath: $0) } ?? beside)?.path ?? "pnmerge"
  }
}

/// Reads the number of an option, which takes no smaller one than some.
func number(from least: Int) -> @Sendable (String) throws -> Int {
  { text in
    guard let number = Int(text), number >= least else {
      throw ValidationError("only numbers from \(least) up are taken")
    }
    return number
  }
}

/// A program that is to run, perhaps in a folder, with which what it remembers goes.
func newProcess(_ words: [String], in folder: URL? = nil) -> Process {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  if let folder {
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_STATE_HOME": folder.path]) { $1 }
  }
  return process
}

/// What a program prints; throws if it fails.
func output(of words: [String]) throws -> Data {
  let process = newProcess(words)
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ValidationError("\(words.joined(separator: " ")) failed")
  }
  return data
}

/// How much memory a process takes, in bytes, as Linux tells it (proc(5)); nothing elsewhere.
enum ProcessMemory {
  /// What a process takes now.
  static func resident(of process: Int32 = getpid()) -> Int? { value(of: "VmRSS", process) }

  /// The most that a process has taken so far; this one since the last ``resetPeak()``.
  static func peak(of process: Int32 = getpid()) -> Int? { value(of: "VmHWM", process) }

  /// Forgets the peak of this process.
  static func resetPeak() {
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
  }

  private static func value(of name: String, _ process: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first
        .flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
  }
}

/// What programs took, run after run.
struct ProcessSamples {
  /// The folder that they work in.
  let room: URL
  private var figures = PartSamples<ProcessFigures>()

  init(room: URL) {
    self.room = room
  }

  /// Runs a program to its end.
  mutating func measure(_ name: String, _ words: String...) throws {
    figures.add(name, try ProcessFigures(of: words, in: room))
  }

  /// The median of each, in the order in which they were first run.
  var medians: [(name: String, median: ProcessFigures)] {
    figures.parts.map { ($0.name, ProcessFigures.median(of: $0.samples)) }
  }
}

/// What a process took.
struct ProcessFigures {
  /// Of the processor, in user and system mode together.
  var seconds: Double
  /// From its start to its end.
  var elapsed: Double
  /// The most memory that was seen, in bytes.
  var peak: Int

  /// Runs a program to its end; throws if it cannot be run, or fails.
  init(of words: [String], in directory: URL) throws {
    let process = newProcess(words, in: directory)
    process.standardOutput = FileHandle.nullDevice
    let before = try Self.secondsOfChildren()
    let start = ContinuousClock.now
    try process.run()
    peak = 0
    while process.isRunning {
      peak = max(peak, ProcessMemory.peak(of: process.processIdentifier) ?? 0)
      Thread.sleep(forTimeInterval: 0.002)
    }
    process.waitUntilExit()
    elapsed = (ContinuousClock.now - start) / .seconds(1)
    guard process.terminationStatus == 0 else {
      throw ValidationError("\(words.joined(separator: " ")) failed")
    }
    seconds = try Self.secondsOfChildren() - before
  }

  private init(seconds: Double, elapsed: Double, peak: Int) {
    (self.seconds, self.elapsed, self.peak) = (seconds, elapsed, peak)
  }

  /// What all processes that this one waited for took of the processor (proc(5), `cutime` and
  /// `cstime`).
  private static func secondsOfChildren() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
    // The name of the program, in parentheses, may hold spaces.
    let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 14, let user = Double(fields[13]), let system = Double(fields[14]) else {
      throw ValidationError("/proc/self/stat does not say what children took")
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The median of each figure.
  static func median(of samples: [ProcessFigures]) -> ProcessFigures {
    ProcessFigures(
      seconds: samples.map(\.seconds).median, elapsed: samples.map(\.elapsed).median,
      peak: samples.map(\.peak).median)
  }

  /// The figures, and how many times those of another process they are.
  func description(beside other: ProcessFigures) -> String {
    String(
      format: "%.2f s (%.2f of jq), %.0f MB (%.2f)", seconds, seconds / other.seconds,
      Double(peak) / 1e6, Double(peak) / Double(other.peak))
  }
}
