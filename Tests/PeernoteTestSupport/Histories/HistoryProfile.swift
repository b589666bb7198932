package import Peernote

/// What random histories are made of.
package struct HistoryProfile: Sendable {
  /// The name to print.
  package var name: String
  /// How many people edit copies of the document.
  package var replicas: ClosedRange<Int>
  /// How many steps are taken: edits, merges, saves, new sessions.
  package var steps: ClosedRange<Int>
  /// How many edits go into one change.
  package var editsPerChange: ClosedRange<Int>
  /// Out of a hundred steps, how many merge another copy in.
  package var syncPercent = 25
  /// Out of a hundred steps, how many save the copy for later.
  package var savePercent = 8
  /// Out of a hundred steps, how many start a new session, with a new agent.
  package var sessionPercent = 4
  /// Out of a hundred steps, how many bring all copies to hold the same.
  package var gatherPercent = 0
  /// How likely the one who took a step takes the next, in percent.
  package var stayPercent = 0
  /// Out of a hundred edits, how many go to what the author cannot see: containers that another
  /// value hides, elements that were removed.
  package var hiddenPercent = 0
  /// Whether the document is one text and nothing else.
  package var isTextOnly = false
  /// Whether text is made of anything but plain letters.
  package var isVaried = true
  /// The length of most insertions into a text, in scalars.
  package var runLength = 1...5
  /// About how long texts get before more is deleted than written, in scalars.
  package var textLength = 60
  /// Out of a hundred merges, how many take only a part of what the other has.
  package var partPercent = 35

  package init(
    name: String, replicas: ClosedRange<Int>, steps: ClosedRange<Int>,
    editsPerChange: ClosedRange<Int>, _ change: (inout HistoryProfile) -> Void = { _ in }
  ) {
    self.name = name
    self.replicas = replicas
    self.steps = steps
    self.editsPerChange = editsPerChange
    change(&self)
  }

  /// How often a container of a kind is chosen to be edited, against the others.
  package func weight(of kind: ContainerKind) -> Int {
    switch kind {
    case .map: 3
    case .list: 6
    case .text: 6
    case .set: 2
    case .counter: 1
    }
  }
}

extension HistoryProfile {
  /// One text, three to six people, plain letters.
  package static let text = HistoryProfile(
    name: "text", replicas: 3...6, steps: 20...70, editsPerChange: 1...4
  ) {
    $0.isTextOnly = true
    $0.isVaried = false
  }

  /// One short text on which many people meet, knowing different parts of what others did: here
  /// the rules for the order of concurrent insertions come to bear.
  package static let crowdedText = HistoryProfile(
    name: "crowdedText", replicas: 4...6, steps: 20...60, editsPerChange: 1...1
  ) {
    $0.isTextOnly = true
    $0.isVaried = false
    $0.textLength = 12
    $0.runLength = 1...1
    $0.syncPercent = 45
    $0.partPercent = 100
  }

  /// All kinds of containers, three to six people, all of Unicode.
  package static let everything = HistoryProfile(
    name: "everything", replicas: 3...6, steps: 20...70, editsPerChange: 1...4)

  /// All kinds of containers in short histories.
  package static let few = HistoryProfile(
    name: "few", replicas: 2...3, steps: 4...16, editsPerChange: 1...2)

  /// All kinds, and edits of what nobody can see.
  package static let hidden = HistoryProfile(
    name: "hidden", replicas: 2...4, steps: 10...40, editsPerChange: 1...3
  ) {
    $0.hiddenPercent = 30
  }

  /// All kinds, by people who mostly take turns and now and then part for a while: here history
  /// has versions that everything after has seen.
  package static let turns = HistoryProfile(
    name: "turns", replicas: 2...3, steps: 20...80, editsPerChange: 1...4
  ) {
    $0.syncPercent = 12
    $0.gatherPercent = 14
    $0.stayPercent = 65
  }

  /// One text, by people who mostly take turns.
  package static let textInTurns: HistoryProfile = {
    var profile = turns
    profile.name = "textInTurns"
    profile.isTextOnly = true
    profile.textLength = 20
    return profile
  }()

  /// One long text, which takes the engine's trees several levels up.
  package static let longText = HistoryProfile(
    name: "longText", replicas: 3...4, steps: 250...350, editsPerChange: 1...6
  ) {
    $0.isTextOnly = true
    $0.textLength = 2000
    $0.syncPercent = 8
  }

  /// All profiles but those that take long.
  package static let all = [
    text, crowdedText, textInTurns, everything, turns, few, hidden,
  ]
}

extension HistoryProfile: CustomStringConvertible {
  /// The name.
  package var description: String { name }
}
