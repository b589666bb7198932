package import Peernote
import PeernoteJSON

extension Repair {
  /// Why the document could not be checked as a whole, for people; `nil` if it was.
  package var uncheckedLine: String? {
    unchecked.first.map { "its history could not be checked as a whole: \($0.description)" }
  }
}

extension Repair.Copy {
  /// How a copy was read, by its name for programs.
  enum Kind: String {
    case sound, unchecked, restored, salvaged, unusable
    case otherDocument = "other-document"
  }

  /// How it was read, and what is wrong with it: findings, or one line for people.
  var told: (kind: Kind, findings: [DocumentError], line: String?) {
    switch reading {
    case .sound: (.sound, [], "sound")
    case .unchecked(let findings): (.unchecked, findings, nil)
    case .restored(let damage):
      (.restored, [], "restored, as its checksum proves: \(damage.clause)")
    case .salvaged(let findings): (.salvaged, findings, nil)
    case .otherDocument(let id):
      (.otherDocument, [], "left out: it is another document (\(id.shortText))")
    case .unusable(let reason): (.unusable, [], "of no use: \(reason)")
    }
  }

  /// What a person should know.
  package func lines(verbose: Bool) -> [String] {
    let (kind, findings, line) = told
    if let line { return [line] }
    if kind == .unchecked {
      return findings.prefix(verbose ? .max : 1).map { "not damaged: \($0.description)" }
    }
    var lines = findings.prefix(verbose ? .max : 3).map { "damaged: \($0.description)" }
    if findings.count > lines.count {
      lines.append("damaged: \(findings.count - lines.count) more faults; -v lists all")
    }
    for damage in damagedText {
      lines.append("bytes \(damage.lowerBound) to \(damage.upperBound - 1) of its text are lost")
    }
    let count = counted(changeCount, "change")
    lines.append(
      unprovenChangeCount > 0
        ? "\(count) could be read; for \(unprovenChangeCount) of them there is nothing better"
        : isAccountedFor
          ? "other copies have all that it held" : "\(count) could be read, none of use")
    if redactedScalars > 0 {
      lines.append(
        "\(counted(redactedScalars, "character")) of deleted text count as redacted because it "
          + "says so, which nothing proves; a merge takes them out of other copies, too")
    }
    if unredactedScalars > 0 {
      lines.append(
        "\(counted(unredactedScalars, "character")) of deleted text stay though it says that "
          + "they were redacted, which nothing proves")
    }
    return lines
  }
}

extension Repair.Damage {
  /// A clause for people.
  var clause: String {
    switch self {
    case .trailingBytes(let count):
      "\(counted(count, "byte")) of something else stood after its end"
    case .checksum: "only the checksum itself was damaged"
    case .bit(let offset): "one bit was flipped, in byte \(offset)"
    case .pieces(let count): "\(counted(count, "piece")) of it came from another copy"
    case .derived: "what was damaged follows from the rest and from other copies"
    }
  }
}

extension Repair.LostChange.Reason {
  /// A clause for people.
  var clause: String {
    switch self {
    case .unreadable: "what it did cannot be read"
    case .text: "some of its text cannot be read"
    case .follows(let change): "it follows \(change), which is lost"
    case .contradiction: "it contradicts what other copies say"
    case .limit: "to bring it in takes more than the limits allow"
    case .unproven: "no checksum proves it"
    case .unknownDocument: "its copy does not say which document it is of"
    }
  }
}

extension Repair {
  /// The report for programs; pnmerge-json(5) describes the members.
  func json(_ command: RepairFiles, unreadable: [[Range<Int>]]) -> JSONReport {
    let copies = copies.map { copy -> JSON in
      let told = copy.told
      return [
        "file": .string(command.files[copy.file].visible), "bytes": range(copy.bytes),
        "reading": .string(told.kind.rawValue),
        "notes": .array(copy.lines(verbose: true).map { .string($0) }),
        "findings": .array(told.findings.map(\.json)), "changes": .count(copy.changeCount),
        "unproven_changes": .count(copy.unprovenChangeCount),
        "redacted_characters": .count(copy.redactedScalars),
        "unredacted_characters": .count(copy.unredactedScalars),
        "damaged_text": .array(copy.damagedText.map(range)),
        "unreadable": .array(
          unreadable[copy.file].filter { $0.overlaps(copy.bytes) }.map(range)),
      ]
    }
    return JSONReport([
      "output": .json(.string(command.output.visible)),
      "written": .json(.bool(!command.dryRun && document != nil)),
      "document": .json(.optional(document?.id.description)), "complete": .json(.bool(isComplete)),
      "changes": .json(.count(document?.changeCount ?? 0)), "copies": .json(.array(copies)),
      "unproven": .list(unproven) { change in
        [
          "id": .string(change.summary.id.description), "author": .string(change.summary.author),
          "time": .string(change.summary.time.iso8601), "copies": .count(change.witnesses),
        ]
      },
      "lost": .list(lost) { change in
        [
          "id": .string(change.id.description), "author": .optional(change.author),
          "time": .optional(change.time?.iso8601), "reason": .string(change.reason.clause),
        ]
      },
      "lost_deleted_characters": .json(.count(lostDeletedScalars)),
      "unchecked": .list(unchecked, \.json),
      "contradictions": .list(contradictions) { contradiction in
        [
          "copy": .count(contradiction.copy),
          "others": .array(contradiction.others.map { .count($0) }),
          "reason": .string("\(contradiction.reason)"),
        ]
      },
    ])
  }

  private func range(_ range: Range<Int>) -> JSON {
    .array([.count(range.lowerBound), .count(range.upperBound)])
  }
}
