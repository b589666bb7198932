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

  /// Unites two logs, in O(n) for n chains, operations and runs of both.
  package init(_ ours: Log, _ theirs: Log) throws(Failure) {
    let prefix = LogPrefix.shared(ours, theirs)
    var assembler = LogAssembler(continuing: ours.prefix(prefix, unitedWith: theirs))
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

/// Brings the deleted text of two copies together: what either has redacted stays redacted.
package struct DeletedTextUnion {
  /// How many consecutive deletions of the union which sides hold.
  private var runs: [(count: Int32, sides: Sides)] = []

  package init() {}

  /// Appends the next deletions of the sides that hold them.
  package mutating func append(_ count: Int32, of sides: Sides) {
    if count == 0 { return }
    if let last = runs.last, last.sides == sides {
      runs[runs.count - 1].count += count
    } else {
      runs.append((count, sides))
    }
  }

  /// The deleted text of one side, as it is read.
  private struct Source {
    let deleted: DeletedText
    private var next: Int32 = 0
    private var place = TextPlace()

    init(_ deleted: DeletedText) { self.deleted = deleted }

    /// How many of the next deletions are all known, or all redacted.
    var partLength: Int32 { deleted.part(of: next).range.upperBound - next }

    /// The text of the next deletions, which are all known, or all redacted: `nil` then.
    mutating func read(_ count: Int32) -> (from: TextPlace, to: TextPlace)? {
      let isKnown = deleted.part(of: next).scalar != nil
      next += count
      if !isKnown { return nil }
      let start = place
      place = deleted.text.place(ofScalar: start.scalar + Int(count), from: start)
      return (start, place)
    }
  }

  /// The united text; `nil` if the two logs name different scalars for one deletion.
  ///
  /// O(bytes + redacted ranges). Ours has the text of the deletions `takenOut`, by their number in
  /// the union, and theirs has redacted it. What one side still knows of what the other has
  /// redacted is `redacted`.
  package func united(
    _ ours: DeletedText, _ theirs: DeletedText
  ) -> (text: DeletedText, takenOut: [Range<Int32>], redacted: [String])? {
    var result = DeletedText()
    var takenOut: [Range<Int32>] = []
    var redacted: [String] = []
    let shared = runs.reduce(0) { $1.sides == .both ? $0 + Int($1.count) : $0 }
    result.reserve(bytes: ours.text.utf8.count + max(0, theirs.text.utf8.count - shared))
    var (our, their) = (Source(ours), Source(theirs))
    for (count, sides) in runs {
      var left = count
      while left > 0 {
        var part = left
        if sides.contains(.ours) { part = min(part, our.partLength) }
        if sides.contains(.theirs) { part = min(part, their.partLength) }
        left -= part
        let one = sides.contains(.ours) ? our.read(part) : nil
        let other = sides.contains(.theirs) ? their.read(part) : nil
        if let one, let other,
          !ours.text.isSame(
            from: one.from, to: one.to, as: theirs.text, from: other.from, to: other.to)
        {
          return nil
        }
        if sides == .both, (one == nil) != (other == nil) {
          if let one {
            takenOut.append(result.count..<result.count + part)
            redacted.append(ours.text.string(from: one.from, to: one.to))
          } else if let other {
            redacted.append(theirs.text.string(from: other.from, to: other.to))
          }
          result.appendRedacted(part)
        } else if let one {
          result.append(ours.text, from: one.from, to: one.to)
        } else if let other {
          result.append(theirs.text, from: other.from, to: other.to)
        } else {
          result.appendRedacted(part)
        }
      }
    }
    return (result, takenOut, redacted)
  }
}
