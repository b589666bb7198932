package import PeernoteTestSupport

/// Random changes to bytes that know nothing of their meaning.
package struct ByteMutation {
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]
  private var random: SplitMix64

  /// Mutates `seeds`, using some words that matter to the reader.
  package init(_ seeds: [[UInt8]], words: [String], random: SplitMix64) {
    self.seeds = seeds
    self.words = words.map { Array($0.utf8) }
    self.random = random
  }

  /// One of the seeds with one to six changes.
  package mutating func bytes() -> [UInt8] {
    var bytes = random.pick(seeds)
    for _ in 0..<random.within(1...6) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = random.below(bytes.count + 1)
    let end = min(bytes.count, place + random.within(1...8))
    switch random.below(8) {
    case 0: bytes.replaceSubrange(place..<end, with: [UInt8(truncatingIfNeeded: random.next())])
    case 1: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
    case 4:
      let other = random.pick(seeds)
      let start = random.below(other.count + 1)
      bytes.replaceSubrange(
        place..<end, with: other[start..<min(other.count, start + random.within(1...32))])
    case 5: bytes.replaceSubrange(place..<end, with: random.pick([[0x00], [0x7F], [0xFF], [0x80]]))
    default:
      if !words.isEmpty { bytes.insert(contentsOf: random.pick(words), at: place) }
    }
  }
}

extension FuzzTarget {
  /// What matters to the reader.
  package var words: [String] {
    switch self {
    case .cbor, .file, .log, .merge, .delta, .repair, .automerge, .imports, .passages: []
    case .markdown:
      [
        "---\n", "- ", ": ", "\n", "title", "tags", "priority", "created", "!!str ", "!!binary ",
        "!uuid ", "&a ", "*a", "<<", "\"", "'", "|\n", ">-\n", "{", "}", "[", "]", "#", "0x1f",
        "1e999", ".inf", "2026-11-20T14:02:11Z", "\u{feff}", "\u{2028}", "\u{85}", "%YAML 1.2\n",
      ]
    case .json:
      [
        "{", "}", "[", "]", ",", ":", "\"", "\\u", "\\ud83d", "\\udc00", "null", "true", "-0",
        "1e999", "9223372036854775808", "-9223372036854775808", "0.1", "\"$text\"", "\"$set\"",
        "\"$$text\"", "\"$counter\"", "\"$bytes\"", "\"$timestamp\"", "\"$uuid\"", "\"$double\"",
        "\"NaN\"", "\u{feff}",
      ]
    case .pattern: Self.patternWords
    case .schema: Self.schemaWords
    case .decisions: Self.decisionWords
    case .marker: Self.markerWords
    case .names: Self.nameWords
    }
  }
}
