import Peernote

extension Repair {
  /// The report for programs; pnmerge(1) describes the members.
  ///
  /// - Parameters:
  ///   - command: what was asked for.
  ///   - unreadable: where the device of each file fails.
  /// - Returns: an object.
  func json(_ command: RepairFiles, unreadable: [[Range<Int>]]) -> JSON {
    let copies = copies.map { copy -> JSON in
      [
        "file": .string(command.files[copy.file].visible), "bytes": range(copy.bytes),
        "reading": .string(copy.readingName),
        "notes": .array(copy.lines(verbose: true).map { .string($0) }),
        "findings": .array(copy.findings.map(\.json)), "changes": .count(copy.changeCount),
        "unproven_changes": .count(copy.unprovenChangeCount),
        "redacted_characters": .count(copy.redactedScalars),
        "unredacted_characters": .count(copy.unredactedScalars),
        "damaged_text": .array(copy.damagedText.map(range)),
        "unreadable": .array(
          unreadable[copy.file].filter { $0.overlaps(copy.bytes) }.map(range)),
      ]
    }
    let unproven = unproven.map { change -> JSON in
      [
        "id": .string(change.summary.id.description), "author": .string(change.summary.author),
        "time": .string(change.summary.time.iso8601), "copies": .count(change.witnesses),
      ]
    }
    let lost = lost.map { change -> JSON in
      [
        "id": .string(change.id.description), "author": .optional(change.author),
        "time": .optional(change.time?.iso8601), "reason": .string(change.reason.clause),
      ]
    }
    return [
      "schema": 1, "output": .string(command.output.visible),
      "written": .bool(!command.dryRun && document != nil),
      "document": .optional(document?.id.description), "complete": .bool(isComplete),
      "changes": .count(document?.changeCount ?? 0), "copies": .array(copies),
      "unproven": .array(unproven), "lost": .array(lost),
      "lost_deleted_characters": .count(lostDeletedScalars),
      "unchecked": .array(unchecked.map(\.json)),
    ]
  }

  private func range(_ range: Range<Int>) -> JSON {
    .array([.count(range.lowerBound), .count(range.upperBound)])
  }
}

extension Repair.Copy {
  /// The name of how it was read, for programs.
  fileprivate var readingName: String {
    switch reading {
    case .sound: "sound"
    case .unchecked: "unchecked"
    case .restored: "restored"
    case .salvaged: "salvaged"
    case .otherDocument: "other-document"
    case .unusable: "unusable"
    }
  }

  fileprivate var findings: [Finding] {
    switch reading {
    case .salvaged(let findings), .unchecked(let findings): findings
    case .sound, .restored, .otherDocument, .unusable: []
    }
  }
}
