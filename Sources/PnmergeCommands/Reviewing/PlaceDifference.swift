import Peernote
import PeernoteJSON

/// What two copies did since they parted, in full: texts in the unified format.
struct PlaceDifference {
  private let divergence: Divergence
  private let files: (old: FileName, new: FileName)
  private let invocation: Invocation

  init(
    _ divergence: Divergence, _ files: (old: FileName, new: FileName), _ invocation: Invocation
  ) {
    self.divergence = divergence
    self.files = files
    self.invocation = invocation
  }

  /// Prints what only the first did, what only the second did, and what both did.
  func show() throws {
    let meetings = MeetingPlace.find(in: divergence)
    try show(divergence.ours, without: Set(meetings.flatMap(\.ours)), files.old, "---")
    try show(divergence.theirs, without: Set(meetings.flatMap(\.theirs)), files.new, "+++")
    if meetings.isEmpty { return }
    try invocation.console.printResult(StyledLine("*** changed in both", .bold))
    for place in meetings {
      let (here, there) = (
        place.ours.map { divergence.ours.places[$0] },
        place.theirs.map { divergence.theirs.places[$0] }
      )
      if here.count == 1, there.count == 1, here[0].isSame(as: there[0]) {
        try show(here[0], by: "both: ")
        continue
      }
      for change in here { try show(change, by: "\(files.old.inputName): ") }
      for change in there { try show(change, by: "\(files.new.inputName): ") }
    }
  }

  private func show(
    _ changes: PlaceChanges, without met: Set<Int>, _ file: FileName, _ mark: String
  ) throws {
    let shown = changes.places.enumerated().filter { !met.contains($0.offset) }
    if shown.isEmpty { return }
    let console = invocation.console
    try console.printResult(StyledLine("\(mark) only in \(file.inputName)", .bold))
    for place in shown { try show(place.element, by: "") }
    let rest = changes.count - changes.places.count
    if rest > 0 { try console.printResult("and \(rest) more") }
  }

  private func show(_ change: PlaceChange, by side: String) throws {
    let console = invocation.console
    guard case .text(let old, let new) = change.action else {
      for line in change.lines(invocation) { try console.printResult(side + line) }
      return
    }
    let who = change.signature(invocation).map { " (\($0))" } ?? ""
    try console.printResult("\(side)\(change.name.words):\(who)")
    let difference = unifiedDifference(from: old, to: new, oldName: "", newName: "")
    if let start = difference.utf8.firstIndex(of: UInt8(ascii: "@")) {
      try console.writeDifference(difference[start...])
    }
  }
}
