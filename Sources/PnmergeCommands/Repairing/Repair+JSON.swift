import Peernote
import PeernoteJSON

extension Repair {
  /// The report for programs; pnmerge-json(5) describes the members.
  func json(_ command: RepairFiles, unreadable: [[Range<Int>]]) -> JSONReport {
    let copies = copies.map { copy -> JSON in
      [
        "file": .string(command.files[copy.file].visible), "bytes": range(copy.bytes),
        "reading": .string(copy.told.reading),
        "notes": .array(copy.lines(verbose: true).map { .string($0) }),
        "findings": .array(copy.told.findings.map(\.json)), "changes": .count(copy.changeCount),
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
      "unproven": .list(unproven, \.json), "lost": .list(lost, \.json),
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

extension Repair.UnprovenChange {
  fileprivate var json: JSON {
    [
      "id": .string(summary.id.description), "author": .string(summary.author),
      "time": .string(summary.time.iso8601), "copies": .count(witnesses),
    ]
  }
}

extension Repair.LostChange {
  fileprivate var json: JSON {
    [
      "id": .string(id.description), "author": .optional(author),
      "time": .optional(time?.iso8601), "reason": .string(reason.clause),
    ]
  }
}

extension Repair.Copy {
  /// What programs are told: the name of how it was read, and what is wrong with it.
  fileprivate var told: (reading: String, findings: [DocumentError]) {
    switch reading {
    case .sound: ("sound", [])
    case .unchecked(let findings): ("unchecked", findings)
    case .restored: ("restored", [])
    case .salvaged(let findings): ("salvaged", findings)
    case .otherDocument: ("other-document", [])
    case .unusable: ("unusable", [])
    }
  }
}
