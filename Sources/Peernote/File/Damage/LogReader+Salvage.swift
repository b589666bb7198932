import PeernoteCBOR

extension LogReader {
  /// What could be read of a damaged log.
  struct Salvage {
    /// The chains before the first one that cannot be read, without the text of their deletions.
    var log: Log
    /// Whether these are all.
    var isWhole: Bool
    /// Changes that could be named, but not read; at most ``LogReader/unreadLimit``.
    var unread: [ChangeID]
    /// Which deletions were redacted, by their number.
    var redacted: [Range<Int32>]
    /// Where the deleted text stands, as far as it is there.
    var deleted: Range<Int>
  }

  /// The most changes that are named without being read: a few bytes can claim millions.
  static let unreadLimit = 10_000

  /// Reads a log that may be cut off or damaged, up to the first chain that cannot be read.
  ///
  /// O(n log n), within all limits that reading a sound log keeps. `nil` if its columns cannot be
  /// told apart.
  static func salvage(_ bytes: [UInt8], log range: Range<Int>, limits: Limits) -> Salvage? {
    var reader = LogReader(bytes, limits: limits)
    guard reader.salvageColumns(range) else { return nil }
    let hasCounts = (try? reader.readCounts()) != nil
    let hasChains = (try? reader.readChains()) != nil
    if !hasChains {
      // The others have no chain that could be read.
      let known = reader.log.graph.chains.reduce(0) { max($0, $1.agent.number + 1) }
      reader.log.agents.removeLast(reader.log.agents.count - known)
    }
    while reader.layout.marks.count <= reader.log.graph.chains.count {
      reader.layout.marks.append(LogLayout.Mark())
    }
    let hasMetadata = (try? reader.readMetadata()) != nil
    let hasOperations = (try? reader.readOperations()) != nil
    reader.log.fileSize = bytes.count
    let log = reader.log
    let isWhole = hasCounts && hasChains && hasMetadata && hasOperations
    var end = log.graph.chains.endIndex
    if !isWhole {
      let operationsEnd = log.operations.last?.end ?? .first
      // The last run of metadata reaches nobody knows how far.
      let metadataEnd =
        hasMetadata
        ? log.graph.changes.upperBound : (log.metadata.last?.firstChange ?? .first)
      end =
        log.graph.chains.firstIndex {
          $0.end > operationsEnd || $0.changes.upperBound > metadataEnd
        } ?? end
      // The chain that ends where the operations do may have been longer.
      if !hasOperations, end > .first, log.graph.chains[end - 1].end == operationsEnd,
        end == log.graph.chains.endIndex
      {
        end -= 1
      }
    }
    let first = end == .first ? .first : log.graph.chains[end - 1].changes.upperBound
    let unread = (first..<log.graph.changes.upperBound).prefix(unreadLimit).map {
      log.changeID(ofChange: $0)
    }
    let prefix = LogPrefix(of: log, chains: end.number)
    return Salvage(
      log: isWhole ? log : log.prefix(prefix), isWhole: isWhole, unread: unread,
      redacted: reader.salvageRedactions(), deleted: reader.layout.columns.deleted)
  }

  /// Finds the columns, of which the last ones may be missing.
  private mutating func salvageColumns(_ range: Range<Int>) -> Bool {
    let end = range.upperBound..<range.upperBound
    var isCut = false
    func next(_ reader: inout CBORReader, isText: Bool) -> Range<Int> {
      if isCut { return end }
      do throws(CBORError) {
        switch try reader.nextItem() {
        case .bytes(let column) where !isText: return column
        case .text(let column) where isText: return column
        case .bytes, .text, .unsigned, .negative, .array, .map, .tag, .bool, .null, .double: break
        }
        isCut = true
        return end
      } catch {
        isCut = true
        guard case .lengthBeyondEnd(_, let left) = error.reason else { return end }
        return range.upperBound - left..<range.upperBound
      }
    }
    return (try? readColumns(range, next)) != nil && layout.columns.agents != end
  }

  /// The redactions up to the first fault, ascending and not touching.
  private func salvageRedactions() -> [Range<Int32>] {
    var reader = ColumnReader(bytes, range: layout.columns.redactions)
    var redacted: [Range<Int32>] = []
    var end: Int32 = 0
    while !reader.isAtEnd {
      guard let kept = try? reader.readVarint(limit: Int(Int32.max - end), ""),
        let count = try? reader.readVarint(limit: Int(Int32.max - end) - kept, ""),
        kept > 0 || redacted.isEmpty, count > 0
      else { break }
      let start = end + Int32(kept)
      end = start + Int32(count)
      redacted.append(start..<end)
    }
    return redacted
  }
}
