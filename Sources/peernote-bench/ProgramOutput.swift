import ArgumentParser
import Foundation

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
