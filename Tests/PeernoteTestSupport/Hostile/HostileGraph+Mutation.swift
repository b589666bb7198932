extension HostileGraph {
  /// A pattern at random.
  package init(using random: inout SplitMix64) {
    self.init(
      pattern: (0..<random.within(2...Self.longestPattern)).map { _ in Stroke(using: &random) })
  }

  /// A pattern that differs in one stroke, or in the order or number of strokes.
  package func mutated(using random: inout SplitMix64) -> HostileGraph {
    var result = self
    let index = random.below(pattern.count)
    switch random.below(8) {
    case 0 where pattern.count < Self.longestPattern:
      result.pattern.insert(Stroke(using: &random), at: index)
    case 1 where pattern.count < Self.longestPattern:
      result.pattern.insert(pattern[index], at: random.below(pattern.count + 1))
    case 2 where pattern.count > 1:
      result.pattern.remove(at: index)
    case 3:
      result.pattern.swapAt(index, random.below(pattern.count))
    case 4:
      result.pattern[index] = Stroke(using: &random)
    default:
      result.pattern[index].mutate(using: &random)
    }
    return result
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

  fileprivate mutating func mutate(using random: inout SplitMix64) {
    switch random.below(7) {
    case 0: branch = random.below(HostileGraph.branchCount)
    case 1: origin = random.pick(HostileGraph.Origin.allCases)
    case 2: merged = random.chance(60) ? HostileGraph.Merged(using: &random) : nil
    case 3: isByNewAgent.toggle()
    case 4: work = random.pick(HostileGraph.Work.allCases)
    case 5: place = random.within(0...8)
    default: count = random.within(1...HostileGraph.greatestCount)
    }
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
