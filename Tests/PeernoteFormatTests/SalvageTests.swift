import Peernote
import Testing

@Suite("What can be read of damaged files")
struct SalvageTests {
  /// Damages a file with two branches and a merge, and looks at what is read of it.
  private func check(_ damaged: [UInt8], _ comment: Comment) throws {
    let file = SalvagedFile(damaged)
    let log = file.log
    #expect(log.faults(critical: CriticalVersions(of: log.graph)).isEmpty, comment)
    #expect(log.agents.count == Set(log.graph.chains.map(\.agent)).count, comment)
    _ = try Objects(of: log)
    _ = try Replay(log)
    #expect(file.insertedText.count == log.insertedScalarCount, comment)
    // It can be taken apart and put together again.
    let changes = log.changes(insertedText: file.insertedText)
    #expect(changes.count == Int(log.graph.changeCount), comment)
    #expect(try Log.make(from: changes).log.headChanges == log.headChanges, comment)
  }

  @Test("a history with any byte of its log changed is read up to a sound end, and never traps")
  func changedBytes() throws {
    let bytes = Samples.everything.bytes()
    let log = try Envelope(bytes).log
    for offset in log {
      for value in Set([bytes[offset] ^ 1, bytes[offset] ^ 0x80, 0, 0x7F, 0xFF, bytes[offset] &+ 1])
      {
        var damaged = bytes
        damaged[offset] = value
        try check(damaged, "byte \(offset) as \(value)")
      }
    }
  }

  @Test("a history of which the end is missing is read up to a sound end")
  func cutFiles() throws {
    let bytes = Samples.everything.bytes()
    for end in try Envelope(bytes).log { try check(Array(bytes[..<end]), "cut to \(end)") }
  }
}
