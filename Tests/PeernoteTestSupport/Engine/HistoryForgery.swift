package import Peernote

/// A history in which something was changed that may make it unsound.
package struct HistoryForgery: CustomStringConvertible {
  /// What is changed.
  package enum Kind: CaseIterable, Sendable {
    case nothing
    case textLength
    case position
    case deletedScalar
    case deletedScalarBesideRedacted
  }

  package let kind: Kind
  package private(set) var log: Log
  package private(set) var texts: [TextBuffer]
  package private(set) var description = "nothing"

  /// Changes something at random, where there is such a thing.
  package init(_ kind: Kind, of log: Log, texts: [TextBuffer], _ random: inout SplitMix64) {
    self.kind = kind
    self.log = log
    self.texts = texts
    switch kind {
    case .nothing: break
    case .textLength: changeLength(&random)
    case .position: changePosition(&random)
    case .deletedScalar: changeDeletedScalar(&random)
    case .deletedScalarBesideRedacted:
      redact(&random)
      changeDeletedScalar(&random)
    }
  }

  /// Whether a replay of the whole history finds no fault in it.
  package var isSoundByReplay: Bool {
    do {
      let replay = try Replay(log)
      guard replay.lengthFaults(texts: texts).isEmpty else { return false }
      try replay.checkDeletions()
      return true
    } catch {
      return false
    }
  }

  /// Whether the check that needs no replay finds none.
  package var isSoundByCheck: Bool {
    let critical = CriticalVersions(of: log.graph)
    return (try? HistoryCheck.isSound(log, critical: critical, texts: texts)) ?? false
  }

  private mutating func changeLength(_ random: inout SplitMix64) {
    let numbers = log.containers.indices.filter { log.containers[$0].kind == .text }
    if numbers.isEmpty { return }
    let number = random.pick(numbers)
    let text = texts[number]
    texts[number] =
      random.chance(50) || text.scalarCount == 0
      ? TextBuffer(text.string + "x")
      : TextBuffer(String(String.UnicodeScalarView(text.string.unicodeScalars.dropLast())))
    description = "text \(number) has \(texts[number].scalarCount) scalars"
  }

  private mutating func changePosition(_ random: inout SplitMix64) {
    let edits = log.operations.indices.filter { log.operations[$0].kind.editsText }
    if edits.isEmpty { return }
    let forged = random.pick(edits)
    var operations = OperationList()
    for (index, operation) in log.operations.enumerated() {
      var operation = operation
      if index == forged {
        operation.position = Int32(random.below(Int(operation.position) + 4))
        description = "operation \(index) is at \(operation.position)"
      }
      operations.append(operation)
    }
    log.operations = operations
  }

  private mutating func changeDeletedScalar(_ random: inout SplitMix64) {
    var scalars = Array(log.deletedText.text.string.unicodeScalars)
    if scalars.isEmpty { return }
    let place = random.below(scalars.count)
    scalars[place] = scalars[place] == "ü" ? "u" : "ü"
    description += ", deleted scalar \(place) differs"
    setDeletedText(scalars, redacted: log.deletedText.redacted)
  }

  private mutating func redact(_ random: inout SplitMix64) {
    let count = Int(log.deletedText.count)
    if count == 0 { return }
    let start = random.below(count)
    let range = Int32(start)..<Int32(start + 1 + random.below(min(3, count - start)))
    log.deletedText = log.deletedText.redacting([range])
    description = "deletions \(range) are redacted"
  }

  private mutating func setDeletedText(_ scalars: [Unicode.Scalar], redacted: [Range<Int32>]) {
    let text = TextBuffer(String(String.UnicodeScalarView(scalars)))
    guard
      let deleted = DeletedText(text: text, count: log.deletedText.count, redacted: redacted)
    else { preconditionFailure("as many scalars as before") }
    log.deletedText = deleted
  }
}

extension EngineCase {
  /// The check of a history finds a fault exactly if a replay does.
  ///
  /// - Returns: how many forgeries of each kind were unsound.
  package func checkForgeries(
    _ random: inout SplitMix64
  ) throws -> [HistoryForgery.Kind: Int] {
    var unsound: [HistoryForgery.Kind: Int] = [:]
    for kind in HistoryForgery.Kind.allCases {
      for _ in 0..<(kind == .nothing ? 1 : 6) {
        let forgery = HistoryForgery(kind, of: log, texts: texts, &random)
        let isSound = forgery.isSoundByReplay
        try expectEqual(forgery.isSoundByCheck, isSound, forgery.description)
        if !isSound { unsound[kind, default: 0] += 1 }
      }
    }
    try expectEqual(unsound[.nothing], nil, "what was not changed is sound")
    return unsound
  }
}
