extension RepairWork {
  /// Says what became of each copy, and what is lost.
  mutating func report() {
    repair.document = saved?.document
    repair.unchecked = saved?.unchecked ?? []
    for number in order where contents[number].isWhole {
      repair.copies[number].isAccountedFor = true
    }
    // What to compare the others with takes memory.
    if contents.allSatisfy(\.isWhole) { return }
    var report = RepairReport(
      saved: saved?.document, proven: proven?.document, additions: additions)
    // Of a change that several copies lost the first one tells why.
    for number in order {
      switch contents[number] {
      case .whole:
        break
      case .salvaged(let copy):
        report.add(
          copy, else: provenOnly ? .unproven : limited.contains(number) ? .limit : .contradiction,
          to: &repair.copies[number])
        if copy.changes.isEmpty { repair.copies[number].reading = .unusable(whyUnusable(number)) }
      case .damaged, .none:
        if let copy = unplaced[number] { report.addLost(of: copy, else: .unknownDocument) }
      }
    }
    for (copy, reason) in refused { report.addLost(of: copy, reason: reason) }
    repair.unproven = report.unproven
    repair.lost = report.lost
    repair.lostDeletedScalars = report.lostDeletedScalars
  }
}
