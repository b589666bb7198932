extension CBORReader {
  /// Checks that `range`, which must lie inside the bytes, is UTF-8; takes linear time.
  package func checkText(_ range: Range<Int>) throws(CBORError) {
    try withText(range) { _ in }
  }

  /// Calls `body` with the text at `range`, which is not copied, if it is UTF-8.
  func withText<Result>(
    _ range: Range<Int>, _ body: (borrowing UTF8Span) -> Result
  ) throws(CBORError) -> Result {
    let text: UTF8Span
    do {
      text = try UTF8Span(validating: bytes.span.extracting(range))
    } catch {
      let place = range.lowerBound + error.byteOffsets.lowerBound
      throw CBORError(offset: place, reason: .notUTF8)
    }
    return body(text)
  }
}
