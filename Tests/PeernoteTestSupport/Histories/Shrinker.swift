/// Looks for a small script that fails like a large one.
package struct Shrinker {
  private let fails: (Script) -> Bool
  private var triesLeft: Int

  /// A shrinker that tries at most so many scripts.
  package init(tries: Int = 2000, fails: @escaping (Script) -> Bool) {
    self.fails = fails
    triesLeft = tries
  }

  /// The first script of a budget with a fault, made small, and what is found in it; `nil` if there is
  /// none.
  package static func smallestFault(
    _ profile: HistoryProfile, _ budget: LawBudget, _ fault: @escaping (Script) -> String?
  ) -> (seed: UInt64, script: Script, fault: String)? {
    for seed in budget.seeds {
      if budget.isTraced { print("\(profile.name) \(seed)") }
      let script = Script(seed: seed, profile: profile)
      guard fault(script) != nil else { continue }
      var shrinker = Shrinker { fault($0) != nil }
      let small = shrinker.shrink(script)
      return (seed, small, fault(small) ?? "nothing")
    }
    return nil
  }

  /// A script that fails and of which no single step can be left out, unless tries ran out.
  package mutating func shrink(_ script: Script) -> Script {
    var smallest = script
    var before: Script
    repeat {
      before = smallest
      smallest = withoutSteps(smallest)
      smallest = withSimplerSteps(smallest)
    } while smallest != before && triesLeft > 0
    return smallest
  }

  /// Leaves out runs of steps, long ones first.
  private mutating func withoutSteps(_ script: Script) -> Script {
    var smallest = script
    var length = max(1, script.steps.count / 2)
    while length >= 1 {
      var end = smallest.steps.count
      while end > 0 {
        var candidate = smallest
        candidate.steps.removeSubrange(max(0, end - length)..<end)
        if stillFails(candidate) { smallest = candidate }
        end -= length
        end = min(end, smallest.steps.count)
      }
      length /= 2
    }
    return smallest
  }

  /// Makes changes shorter and merges whole.
  private mutating func withSimplerSteps(_ script: Script) -> Script {
    var smallest = script
    for index in script.steps.indices {
      for simpler in simplerSteps(than: smallest.steps[index]) {
        var candidate = smallest
        candidate.steps[index] = simpler
        if stillFails(candidate) {
          smallest = candidate
          break
        }
      }
    }
    return smallest
  }

  private func simplerSteps(than step: Step) -> [Step] {
    switch step {
    case .edit(let replica, let edits, let salt):
      (1..<max(1, edits)).map { .edit(replica: replica, edits: $0, salt: salt) }
    case .merge(let replica, let other, let extent):
      extent == .whole ? [] : [.merge(into: replica, from: other, extent: .whole)]
    case .save, .session, .gather:
      []
    }
  }

  private mutating func stillFails(_ script: Script) -> Bool {
    guard triesLeft > 0 else { return false }
    triesLeft -= 1
    return fails(script)
  }
}
