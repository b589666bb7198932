import PnmergeCommands
import Testing

@Suite("The bytes of an input")
struct InputBytesTests {
  @Test("an input may be as long as the limit and no longer, however it comes")
  func limit() throws {
    for pieces in [[10], [4, 6], [1, 8, 1], [0, 10]] {
      var input = try InputBytes(limit: 10)
      for count in pieces { try input.append([UInt8](repeating: 7, count: count)) }
      #expect(input.bytes == [UInt8](repeating: 7, count: 10))
      let error = #expect(throws: HostError.self) { try input.append([7]) }
      #expect(error?.kind == .tooLarge && error?.explanation == "file too large")
    }
  }

  @Test("an input that is known to be too long is refused before anything is read")
  func expectation() throws {
    #expect(try InputBytes(expected: 10, limit: 10).bytes == [])
    let error = #expect(throws: HostError.self) { try InputBytes(expected: 11, limit: 10) }
    #expect(error?.kind == .tooLarge)
  }

  @Test("an input of use goes on, however little of it has come")
  func beginning() throws {
    for (pieces, isPromising) in [
      ([[]], true), ([[1], [2]], true), ([[1], [2, 3, 4], [9]], true),
      ([[2]], false), ([[1], [2], [4]], false),
    ] as [([[UInt8]], Bool)] {
      var input = try InputBytes(limit: .max, beginning: [1, 2, 3])
      for piece in pieces { try input.append(piece) }
      #expect(input.isPromising == isPromising, "\(pieces)")
    }
    #expect(try InputBytes(limit: .max).isPromising)
  }

  @Test("one call takes what is expected and meets the end, and a stream comes in pieces")
  func room() throws {
    var input = try InputBytes(expected: 1_000_000, limit: .max)
    #expect(input.room == 1_000_001)
    try input.append([UInt8](repeating: 0, count: 900_000))
    #expect(input.room == 100_001)
    try input.append([UInt8](repeating: 0, count: 200_000))
    #expect(input.room == 1 << 16)
    #expect(try InputBytes(limit: 10).room == 1 << 16)
  }
}
