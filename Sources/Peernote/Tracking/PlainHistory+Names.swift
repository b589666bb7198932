/// Whether a file is that of a history, which has another name, or none.
extension PlainHistory {
  /// How many lines of a hundred a text has of the file's; `nil` unless it is the same, or has more
  /// than half of its lines, in their order.
  ///
  /// Lines that other files have as well, `others`, say nothing, as those of a template.
  /// `remembered` is what the file was last seen to hold; `nil` if that is not known.
  package func share(
    of text: String, remembered: String? = nil, besides others: Set<Substring> = []
  ) -> Int? {
    let texts = [self.text] + (remembered.map { [$0] } ?? [])
    return texts.compactMap { (known) -> Int? in
      if known.utf8.elementsEqual(text.utf8) { return 100 }
      let own = known.splitAtLineFeeds().filter { !$0.isBlank && !others.contains($0) }
      if own.isEmpty { return nil }
      let old: [UInt8] = own.flatMap { Array($0.utf8) + [0x0A] }
      let new: [UInt8] = Array(text.utf8) + [0x0A]
      let lost = LineDifference(from: old, to: new).hunks.reduce(0) { count, hunk in
        count + old[hunk.old].count { $0 == 0x0A }
      }
      let left = own.count - lost
      return 2 * left > own.count ? 100 * left / own.count : nil
    }.max()
  }
}
