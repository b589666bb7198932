import Peernote
import PeernoteTestSupport
import Testing

/// Deleted scalars, of which some are redacted, against an array of optional scalars.
@Suite struct DeletedTextTests {
  @Test("parts of any range are those of an array", arguments: 1...60)
  func parts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var text = DeletedText()
    var model: [Unicode.Scalar?] = []
    for _ in 0..<random.below(12) {
      let count = random.below(5)
      if random.chance(50) {
        text.appendRedacted(Int32(count))
        model += [Unicode.Scalar?](repeating: nil, count: count)
      } else {
        let scalars = (0..<count).map { _ in random.pick(["a", "é", "🧑"] as [Unicode.Scalar]) }
        let part = TextBuffer("<" + String(String.UnicodeScalarView(scalars)) + ">")
        let start = part.place(ofScalar: 1)
        text.append(part, from: start, to: part.place(ofScalar: count + 1))
        model += scalars
      }
    }
    #expect(text.count == Int32(model.count))
    #expect(text.redactedCount == model.count { $0 == nil })
    for start in 0...model.count {
      for end in start...model.count {
        #expect(spelled(text, start..<end) == Array(model[start..<end]), "\(start)..<\(end)")
      }
    }
    let again = DeletedText(text: text.text, count: text.count, redacted: text.redacted)
    #expect(again == text)
    #expect(DeletedText(text: text.text, count: text.count + 1, redacted: text.redacted) == nil)
    #expect(text.redacted.allSatisfy { !$0.isEmpty })
    #expect(
      zip(text.redacted, text.redacted.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
  }

  private func spelled(_ text: DeletedText, _ range: Range<Int>) -> [Unicode.Scalar?] {
    var result: [Unicode.Scalar?] = []
    var next = range.lowerBound
    text.forEachPart(in: Int32(range.lowerBound)..<Int32(range.upperBound)) { part, first in
      #expect(Int(part.lowerBound) == next && !part.isEmpty)
      next = Int(part.upperBound)
      guard let first else {
        result += [Unicode.Scalar?](repeating: nil, count: part.count)
        return
      }
      let from = text.text.place(ofScalar: first)
      let to = text.text.place(ofScalar: first + part.count, from: from)
      result += Array(text.text.string(from: from, to: to).unicodeScalars)
    }
    #expect(next == range.upperBound)
    return result
  }

  @Test("ranges that overlap, touch, are empty or out of order are no deleted text")
  func impossibleRanges() {
    let text = TextBuffer("ab")
    let impossible: [[Range<Int32>]] = [
      [0..<1, 1..<2], [2..<3, 0..<1], [0..<2, 1..<2], [1..<1], [3..<5], [0..<1],
    ]
    for redacted in impossible {
      #expect(DeletedText(text: text, count: 4, redacted: redacted) == nil, "\(redacted)")
    }
    #expect(DeletedText(text: text, count: 4, redacted: [0..<1, 2..<3]) != nil)
  }
}
