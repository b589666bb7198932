package import Peernote

/// Does to a doubtful file all that a program would do.
package enum Probe {
  /// Reads, salvages, writes, checks and merges a file; the process ends where something traps.
  ///
  /// - Parameters:
  ///   - bytes: the doubtful file, of right checksum.
  ///   - goods: sound documents that the file may be merged into.
  /// - Returns: one clause for each thing that went wrong besides orderly refusals.
  package static func faults(_ bytes: [UInt8], goods: [Document]) -> [String] {
    var faults: [String] = []
    _ = try? DocumentReader(bytes: bytes)
    _ = SalvagedFile(bytes)
    let findings = Document.validate(bytes: bytes)
    let document: Document
    do {
      document = try Document(bytes: bytes)
    } catch {
      if findings.isEmpty { faults.append("refused (\(error)), but validation finds nothing") }
      if error.offset == nil, error.change == nil {
        faults.append("refused without a place: \(error)")
      }
      if goods.contains(where: { (try? Document(bytes: bytes, beside: $0)) != nil }) {
        faults.append("read beside another copy, but not alone")
      }
      return faults
    }
    if document.bytes() != bytes { faults.append("written again as other bytes") }
    _ = document.root
    _ = document.conflicts
    _ = try? document.exportedChanges
    for good in goods {
      do {
        let beside = try Document(bytes: bytes, beside: good)
        if beside.bytes() != bytes { faults.append("read otherwise beside another copy") }
      } catch {
        faults.append("read alone, but not beside another copy: \(error)")
      }
      _ = try? document.relation(to: good)
      faults += merging(document, isSound: findings.isEmpty, into: good)
    }
    return faults
  }

  /// The same with one sound document.
  package static func faults(_ bytes: [UInt8], good: Document) -> [String] {
    faults(bytes, goods: [good])
  }

  /// Merges a doubtful document into a good one.
  private static func merging(
    _ document: Document, isSound: Bool, into good: Document
  ) -> [String] {
    var merged = good
    do {
      _ = try merged.merge(document)
    } catch {
      return merged.bytes() == good.bytes() ? [] : ["a merge that failed changed something"]
    }
    do {
      let before = try merged.at(version: good.heads)
      if before.root != good.root {
        return ["merging (sound: \(isSound)) rewrites the good document's content"]
      }
      if try rewrites(before, good) {
        return ["merging (sound: \(isSound)) rewrites the good document's history"]
      }
    } catch {
      return ["merging (sound: \(isSound)) makes a history that does not replay: \(error)"]
    }
    let findings = Document.validate(bytes: merged.bytes())
    if !findings.isEmpty { return ["merging (sound: \(isSound)) leads to \(findings)"] }
    return isSound ? reversing(document, into: good, makes: merged) : []
  }

  /// Merges the other way round, which makes the same, unless a forger gave the document other text
  /// than the good one has for the same changes.
  private static func reversing(
    _ document: Document, into good: Document, makes merged: Document
  ) -> [String] {
    do {
      guard try redacted(merged.at(version: document.heads)) == redacted(document) else {
        return []
      }
      var reverse = document
      _ = try reverse.merge(good)
      return reverse.bytes() == merged.bytes()
        ? [] : ["merging in two orders makes two documents"]
    } catch {
      return ["a sound document can be merged in one order alone: \(error)"]
    }
  }

  /// Whether a document, merged and brought back to what it was, differs from what it was.
  ///
  /// It may have got sections that nobody knows, and lost deleted text, which wins in a merge.
  private static func rewrites(_ document: Document, _ good: Document) throws -> Bool {
    var after = try DocumentFile(document.bytes())
    let before = try DocumentFile(good.bytes())
    after.unknownSections = before.unknownSections
    if after.log.deletedText.redactedCount == before.log.deletedText.redactedCount {
      after.layout = nil
      return after.bytes() != good.bytes()
    }
    return try redacted(document) != redacted(good)
  }

  /// The file without deleted text and unknown sections.
  private static func redacted(_ document: Document) throws -> [UInt8] {
    var document = document
    try document.redactDeletedText()
    var file = try DocumentFile(document.bytes())
    file.unknownSections = []
    file.layout = nil
    return file.bytes()
  }
}
