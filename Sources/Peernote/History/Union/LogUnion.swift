/// The union of two logs: every change of both, once.
package struct LogUnion: Sendable {
  /// The union.
  package let log: Log
  /// Which of the two hold each event of the union.
  package let sides: SideRuns
  /// Where the container numbers of the two went.
  package let ourContainers: [ContainerIndex]
  package let theirContainers: [ContainerIndex]
  /// The runs of events that only one side holds, ascending.
  package private(set) var onlyOurs: [Range<LocalVersion>] = []
  package private(set) var onlyTheirs: [Range<LocalVersion>] = []
  /// The first chains, which both hold in the same form.
  package let sharedPrefix: LogPrefix
  /// How many changes both hold.
  package private(set) var sharedChangeCount = 0

  /// The deletions whose text ours has and theirs has redacted, ascending, by their number.
  package let takenOut: [Range<Int32>]

  /// What one side has redacted of its deleted text and the other one still knows, a deletion or a
  /// part of one each, as it was deleted: backward where it was deleted so.
  package let redacted: [String]

  /// The first event that only one side holds, or one past the last.
  package var parted: LocalVersion {
    min(
      onlyOurs.first?.lowerBound ?? log.graph.end,
      onlyTheirs.first?.lowerBound ?? log.graph.end)
  }

  /// Why two logs have no union.
  package enum Failure: Error, Hashable, Sendable {
    /// A change of this name says different things in the two.
    case forked(ChangeID, Fork)
    /// One of the logs contradicts itself, or with this change the union breaks a limit.
    case refused(HistoryError.Reason, ChangeID)
    /// The two hold different text for one deletion.
    case deletionsDisagree
  }

  /// In what the two changes of one name differ.
  package enum Fork: String, Hashable, Sendable {
    case parents, time, author, message, operations
  }

  /// Unites two logs.
  ///
  /// O(n) for n chains, operations and runs of both.
  package init(_ ours: Log, _ theirs: Log) throws(Failure) {
    let prefix = LogPrefix.shared(ours, theirs)
    let size = LogSize(ofUnion: ours, theirs, sharing: prefix)
    var assembler = LogAssembler(continuing: ours.prefix(prefix, growingTo: size))
    var deletions = DeletedTextUnion()
    var left = LogSource(ours, after: prefix)
    var right = LogSource(theirs, after: prefix)
    var sides = SideRuns()
    sharedPrefix = prefix
    sharedChangeCount = prefix.changesEnd.number
    deletions.append(prefix.deletedScalars, of: .both)
    while left.hasChain || right.hasChain {
      let start = assembler.nextEvent
      let before = (left.deletedScalarCount, right.deletedScalarCount)
      var sharedEnd = start
      var rest: Sides
      if left.comes(before: right) {
        try left.copyChain(to: &assembler)
        rest = .ours
      } else if right.comes(before: left) {
        try right.copyChain(to: &assembler)
        rest = .theirs
      } else {
        let ourCount = left.chain.changeCount
        let theirCount = right.chain.changeCount
        sharedChangeCount += Int(min(ourCount, theirCount))
        if ourCount >= theirCount {
          sharedEnd = try left.copyChain(to: &assembler, comparing: &right)
          rest = .ours
        } else {
          sharedEnd = try right.copyChain(to: &assembler, comparing: &left)
          rest = .theirs
        }
      }
      let deleted = (left.deletedScalarCount - before.0, right.deletedScalarCount - before.1)
      deletions.append(min(deleted.0, deleted.1), of: .both)
      deletions.append(abs(deleted.0 - deleted.1), of: rest)
      if start < sharedEnd { sides.append(from: start, .both) }
      let own = sharedEnd..<assembler.nextEvent
      if own.isEmpty { continue }
      sides.append(from: own.lowerBound, rest)
      if rest == .ours {
        onlyOurs.appendAscending(own)
      } else {
        onlyTheirs.appendAscending(own)
      }
    }
    guard let deleted = deletions.united(ours.deletedText, theirs.deletedText) else {
      throw .deletionsDisagree
    }
    self.sides = sides
    takenOut = deleted.takenOut
    redacted = deleted.redacted
    ourContainers = left.allContainers
    theirContainers = right.allContainers
    var united = assembler.finished(deletedText: deleted.text)
    if let broken = united.limitBroken() {
      throw .refused(broken, united.changeID(ofChange: united.graph.changes.upperBound - 1))
    }
    // Numbers of containers, elements and changes may take more bytes than they did.
    united.fileSize =
      ours.fileSize + theirs.fileSize
      + 16 * (united.operations.count + united.graph.chains.count + united.graph.parentPool.count)
    log = united
  }
}
