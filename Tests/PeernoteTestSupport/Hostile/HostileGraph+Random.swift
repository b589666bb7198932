extension HostileGraph {
  /// A pattern at random.
  package init(using random: inout SplitMix64) {
    self.init(
      pattern: (0..<random.within(2...Self.longestPattern)).map { _ in Stroke(using: &random) })
  }
}

extension HostileGraph.Stroke {
  fileprivate init(using random: inout SplitMix64) {
    self.init(
      branch: random.below(HostileGraph.branchCount),
      origin: random.chance(70) ? .branch : random.pick(HostileGraph.Origin.allCases),
      merged: random.chance(40) ? HostileGraph.Merged(using: &random) : nil,
      isByNewAgent: random.chance(30), work: random.pick(HostileGraph.Work.allCases),
      place: random.within(0...8), count: random.within(1...HostileGraph.greatestCount))
  }
}

extension HostileGraph.Merged {
  fileprivate init(using random: inout SplitMix64) {
    self.init(
      branch: random.below(HostileGraph.branchCount),
      lag: random.chance(50) ? 0 : random.within(1...HostileGraph.greatestLag))
  }
}

extension HostileGraph: CustomStringConvertible {
  /// The strokes, one a line.
  package var description: String {
    pattern.map { stroke in
      var words = ["branch \(stroke.branch) from its"]
      switch stroke.origin {
      case .branch: words.append("last change")
      case .start: words = ["branch \(stroke.branch) from the start"]
      case .root: words.append("first change")
      }
      if let merged = stroke.merged {
        words.append("merges branch \(merged.branch) less \(merged.lag)")
      }
      if stroke.isByNewAgent { words.append("by someone new") }
      words.append("does \(stroke.work) \(stroke.count) at \(stroke.place)/8")
      return words.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
