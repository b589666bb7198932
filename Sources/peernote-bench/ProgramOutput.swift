import ArgumentParser
import Foundation

/// What a program prints; throws if it fails.
func output(of words: [String]) throws -> Data {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
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
