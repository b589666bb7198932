import Peernote
import PeernoteEngine
import PeernoteFormat
import PeernoteFuzzing
import Testing

/// Small files that speak of very much.
@Suite struct LimitTests {
  @Test("a file of a thousand million events takes no more than its bytes", .timeLimit(.minutes(1)))
  func manyEvents() throws {
    // 2^24 changes of 63 events each, in one chain; the operations are missing.
    var file = RuleTests.oneChange
    file.log.counts = column(1 << 24, 63)
    file.log.chains = column(0, (1 << 24) - 1, 0)
    file.log.metadata = column(1 << 24, zigzag(1000), 0, 0)
    #expect(refusal(of: file.bytes)?.kind == .damaged)
  }

  @Test("a text said to be long, but not there, is found without making room for it")
  func longText() throws {
    var file = RuleTests.oneChange
    let length: UInt64 = 1 << 27
    file.log.counts = column(1, length + 1)
    file.log.operations = column(Row.put, 0, Row.target, 1, Row.insert(length))
    #expect(refusal(of: file.bytes) == nil)
    #expect(Document.validate(bytes: file.bytes).map(\.section) == ["view"])
  }

  @Test("redacted text of any length is not spelled out in validation")
  func longRedaction() throws {
    let file = Self.redacted(1 << 27)
    let start = ContinuousClock.now
    #expect(Document.validate(bytes: file.bytes) == [])
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  /// A text of so many scalars that was deleted and redacted.
  static func redacted(_ length: UInt64) -> ForgedFile {
    var file = RuleTests.oneChange
    file.view = .array([.map([.string("body"), RuleTests.text("")]), .array([])])
    file.log.counts = column(1, 2 * length + 1)
    file.log.operations = column(
      Row.put, 0, Row.target, 1, Row.insert(length), Row.backward(length))
    file.log.redactions = column(0, length)
    return file
  }
}
