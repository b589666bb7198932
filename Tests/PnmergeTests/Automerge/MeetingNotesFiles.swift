import Foundation
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// The sample files of MeetingNotes, for commands on a host in memory.
enum MeetingNotesFiles {
  static let directory = Repository.path("Fixtures/meetingnotes")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appending(path: name + ".meetingnotes")))
  }

  /// A host with samples in its working directory, under names of their own.
  static func host(_ files: (name: String, sample: String)...) throws -> MemoryHost {
    let host = MemoryHost()
    for (name, sample) in files { host[name] = try bytes(sample) }
    return host
  }

  /// What `cat --format json` prints of a file, as a value that can be compared.
  static func content(_ file: String, _ host: MemoryHost) throws -> NSDictionary {
    let run = host.pnmerge("cat", "--format", "json", file)
    #expect(run.status == .done, "\(run.errors)")
    return try json(run.output)
  }

  static func json(_ text: String) throws -> NSDictionary {
    try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary, "\(text)")
  }

  /// What the library says of a case, in `expected.json`.
  static func expected(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: directory.appending(path: "\(name)/expected.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// The part of such a description that is content.
  static func content(of expected: Any?) throws -> NSDictionary {
    let all = try #require(expected as? [String: Any])
    return all.filter { ["title", "attendees", "agendas"].contains($0.key) } as NSDictionary
  }
}
