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
  /// Consecutive deletions of the union, with the number of the first in each log that has them.
  private struct Run {
    var ours: Int32?
    var theirs: Int32?
    var count: Int32
  }

  private var runs: [Run] = []
  private var nextOurs: Int32 = 0
  private var nextTheirs: Int32 = 0

  package init() {}

  /// Appends the next deletions of the sides that hold them.
  package mutating func append(_ count: Int32, of sides: Sides) {
    if count == 0 { return }
    let run = Run(
      ours: sides.contains(.ours) ? nextOurs : nil,
      theirs: sides.contains(.theirs) ? nextTheirs : nil, count: count)
    if sides.contains(.ours) { nextOurs += count }
    if sides.contains(.theirs) { nextTheirs += count }
    if let last = runs.last, (last.ours == nil) == (run.ours == nil),
      (last.theirs == nil) == (run.theirs == nil)
    {
      runs[runs.count - 1].count += count
    } else {
      runs.append(run)
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
    let shared = runs.reduce(0) { $1.ours == nil || $1.theirs == nil ? $0 : $0 + Int($1.count) }
    result.reserve(bytes: ours.text.utf8.count + max(0, theirs.text.utf8.count - shared))
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    var agree = true
    for run in runs {
      switch (run.ours, run.theirs) {
      case (let start?, nil):
        result.append(ours, in: start..<start + run.count, from: &ourPlace)
      case (nil, let start?):
        result.append(theirs, in: start..<start + run.count, from: &theirPlace)
      case (let start?, let theirStart?):
        ours.forEachPart(in: start..<start + run.count) { part, firstScalar in
          let other = part.lowerBound - start + theirStart
          theirs.forEachPart(in: other..<other + Int32(part.count)) { piece, theirScalar in
            guard let firstScalar, let theirScalar else {
              if let firstScalar {
                takenOut.append(result.count..<result.count + Int32(piece.count))
                let scalar = firstScalar + Int(piece.lowerBound - other)
                let from = ours.text.place(ofScalar: scalar, from: ourPlace)
                ourPlace = ours.text.place(ofScalar: scalar + piece.count, from: from)
                redacted.append(ours.text.string(from: from, to: ourPlace))
              } else if let theirScalar {
                let from = theirs.text.place(ofScalar: theirScalar, from: theirPlace)
                theirPlace = theirs.text.place(ofScalar: theirScalar + piece.count, from: from)
                redacted.append(theirs.text.string(from: from, to: theirPlace))
              }
              result.appendRedacted(Int32(piece.count))
              return
            }
            let ourScalar = firstScalar + Int(piece.lowerBound - other)
            let from = ours.text.place(ofScalar: ourScalar, from: ourPlace)
            ourPlace = ours.text.place(ofScalar: ourScalar + piece.count, from: from)
            let theirFrom = theirs.text.place(ofScalar: theirScalar, from: theirPlace)
            theirPlace = theirs.text.place(ofScalar: theirScalar + piece.count, from: theirFrom)
            if !ours.text.isSame(
              from: from, to: ourPlace, as: theirs.text, from: theirFrom, to: theirPlace)
            {
              agree = false
            }
            result.append(ours.text, from: from, to: ourPlace)
          }
        }
      case (nil, nil):
        preconditionFailure("a deletion stands in one of the logs at least")
      }
    }
    return agree ? (text: result, takenOut: takenOut, redacted: redacted) : nil
  }
}
