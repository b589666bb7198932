extension String {
  /// How often it has each word, a run of letters and digits.
  ///
  /// O(n).
  var wordCounts: [Substring: Int] {
    split { !$0.isLetter && !$0.isNumber }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}
