import Peernote
import PeernoteEngine
import PeernoteFormat

/// Does to a doubtful file all that a program would do.
enum Probe {
  /// Reads, writes, checks and merges a file; the process ends where something traps.
  ///
  /// - Parameters:
  ///   - bytes: the doubtful file, of right checksum.
  ///   - good: a sound document that the file may be merged into.
  /// - Returns: what went wrong besides orderly refusals.
  /// - Returns: one clause for each fault.
  static func faults(_ bytes: [UInt8], good: Document) -> [String] {
    var faults: [String] = []
    _ = try? DocumentReader(bytes: bytes)
    let findings = Document.validate(bytes: bytes)
    let document: Document
    do {
      document = try Document(bytes: bytes)
    } catch {
      if findings.isEmpty { faults.append("refused (\(error)), but validation finds nothing") }
      if error.offset == nil, error.change == nil {
        faults.append("refused without a place: \(error)")
      }
      if (try? Document(bytes: bytes, beside: good)) != nil {
        faults.append("read beside another copy, but not alone")
      }
      return faults
    }
    if document.encoded() != bytes { faults.append("written again as other bytes") }
    do {
      let beside = try Document(bytes: bytes, beside: good)
      if beside.encoded() != bytes { faults.append("read otherwise beside another copy") }
    } catch {
      faults.append("read alone, but not beside another copy: \(error)")
    }
    _ = document.root
    _ = document.conflicts
    _ = try? document.exportedChanges
    _ = try? document.relation(to: good)
    faults += merging(document, isSound: findings.isEmpty, into: good)
    return faults
  }

  /// Merges a doubtful document into a good one.
  private static func merging(
    _ document: Document, isSound: Bool, into good: Document
  ) -> [String] {
    var merged = good
    do {
      _ = try merged.merge(document)
    } catch {
      return merged.encoded() == good.encoded() ? [] : ["a merge that failed changed something"]
    }
    do {
      let before = try merged.at(version: good.heads)
      if before.root != good.root || before.encoded() != good.encoded() {
        return ["merging (sound: \(isSound)) rewrites what the good document says"]
      }
    } catch {
      return ["merging (sound: \(isSound)) makes a history that does not replay: \(error)"]
    }
    let findings = Document.validate(bytes: merged.encoded())
    return findings.isEmpty ? [] : ["merging (sound: \(isSound)) leads to \(findings)"]
  }
}
