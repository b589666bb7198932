import ArgumentParser
import Foundation

/// Which program a benchmark runs.
struct ProgramOption: ParsableArguments {
  @Option(
    name: .customLong("pnmerge"), help: "The program; by default the one beside this.",
    completion: .file(),
    transform: { URL(filePath: $0).path })
  var path = Bundle.main.bundleURL.appending(path: "pnmerge").path
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

/// Says something at once, since the next thing may take long.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// The bytes of a file.
func bytes(of file: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: file))) }

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

/// A figure of the memory of a process in bytes, as Linux tells it (proc(5)); 0 elsewhere.
///
/// `VmRSS` is what it takes now, `VmHWM` the most that it has taken.
func memory(_ figure: String, of process: Int32 = getpid()) -> Int {
  let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
  let line = status?.split(separator: "\n").first { $0.hasPrefix("\(figure):") }
  return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first.map { $0 * 1024 }
    ?? 0
}
