package import Peernote

extension Repair {
  /// Why the document could not be checked as a whole, for people; `nil` if it was.
  package var uncheckedLine: String? {
    unchecked.first.map { "its history could not be checked as a whole: \($0.description)" }
  }
}

extension Repair.Copy {
  /// What a person should know.
  package func lines(verbose: Bool) -> [String] {
    switch reading {
    case .sound: return ["sound"]
    case .unchecked(let findings):
      return findings.prefix(verbose ? findings.count : 1).map { "not damaged: \($0.description)" }
    case .restored(let damage): return ["restored, as its checksum proves: \(damage.clause)"]
    case .otherDocument(let id): return ["left out: it is another document (\(id.shortText))"]
    case .unusable(let reason): return ["of no use: \(reason)"]
    case .salvaged(let findings):
      var lines = findings.prefix(verbose ? findings.count : 3).map { "damaged: \($0.description)" }
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
