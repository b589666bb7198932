import ArgumentParser
import Foundation

/// Another library at work, in a Python process of its own.
final class Peer {
  let name: String
  private let process: Process
  private let requests = Pipe()
  private let answers = Pipe()
  private var unread = Data()

  /// Starts a peer on the two copies in a folder.
  init(_ name: String, python: String, folder: URL) throws {
    self.name = name
    process = newProcess([
      python, "-c", String(decoding: PackageResources.peers_py, as: UTF8.self), name, folder.path,
    ])
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
  }

  /// Does all work of a round; returns the milliseconds of each time it was done.
  func work() throws -> [String: [Double]] {
    try requests.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        let line = unread[..<end]
        unread = Data(unread[(end + 1)...])
        return try JSONDecoder().decode([String: [Double]].self, from: line)
      }
      let more = answers.fileHandleForReading.availableData
      if more.isEmpty { throw ValidationError("\(name) did not answer; is it installed?") }
      unread += more
    }
  }

  /// Lets the process end.
  func finish() throws {
    try requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
