import AutomergeFormat

/// How much work an import takes, counted before it is done.
///
/// A file of some bytes can hold a history that turns to another branch with each change, and each
/// turn costs as much as what was made before it; a path may lead over names of a megabyte, and an
/// object may come and go with all that is in it.
struct AutomergeImportEffort {
  /// The most steps, each of some ten nanoseconds: 2,147,483,648.
  static let stepLimit = 1 << 31
  /// What it takes to make a change and an operation once more, at a turn.
  private static let stepsOfChange = 200
  private static let stepsOfOperation = 32
  /// What it takes to look at an operation where a change was made upon several others.
  private static let stepsOfLook = 16
  /// What an edit takes besides the names in its path.
  private static let stepsOfEdit = 64

  private let history: AutomergeHistory
  private var steps = 0
  private var edits = 0
  private var names = 0

  init(_ history: AutomergeHistory) { self.history = history }

  /// Refuses a history that turns too often, or has too many actors and messages to tell apart.
  ///
  /// O(n + the limit / 200), before anything is made.
  mutating func checkTurns() throws(AutomergeError) {
    var seen = [Int32](repeating: -1, count: history.changes.count)
    var actors = Set<UInt32>()
    var messages = Set<[UInt8]>()
    var here: [Int32] = []
    for number in history.order {
      let change = history.changes[number]
      actors.insert(change.actor)
      if !change.message.isEmpty { messages.insert(change.message) }
      let actor = history.actors.actors[Int(change.actor)]
      try count(2 * actors.count + messages.count + (actor.count + change.message.count) / 4)
      let parents = history.parents[number]
      if parents.count > 1 {
        try count(Self.stepsOfLook * history.store.operations.count)
      }
      if parents != here {
        var open = parents
        while let other = open.popLast() {
          guard seen[Int(other)] != Int32(number) else { continue }
          seen[Int(other)] = Int32(number)
          try count(
            Self.stepsOfChange
              + Self.stepsOfOperation * history.changes[Int(other)].operations.count)
          open += history.parents[Int(other)]
        }
      }
      here = [Int32(number)]
    }
  }

  /// Counts an edit that is about to be made.
  mutating func count(_ edit: AutomergeReplay.Edit) throws(AutomergeError) {
    edits += 1
    let limit = 1 << 16 + 2 * history.store.operations.count
    guard edits <= limit else {
      throw AutomergeError(.limit, "its changes show and hide more than \(limit) values")
    }
    try count(Self.stepsOfEdit)
  }

  /// Refuses what the replay took too many steps for, at which it stopped.
  func check(_ replay: AutomergeReplay) throws(AutomergeError) {
    if steps + replay.steps > Self.stepLimit { throw Self.tooManySteps }
  }

  /// Counts names of changes that are kept for one.
  mutating func count(names more: Int) throws(AutomergeError) {
    names += more
    let limit = 1 << 18 + 4 * history.changes.count
    guard names <= limit else {
      throw AutomergeError(.limit, "its changes were made upon more than \(limit) others")
    }
  }

  private mutating func count(_ more: Int) throws(AutomergeError) {
    steps += more
    if steps > Self.stepLimit { throw Self.tooManySteps }
  }

  private static let tooManySteps = AutomergeError(
    .limit, "its history takes more than \(stepLimit) steps")
}
