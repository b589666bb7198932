import AutomergeFormat
import Foundation
import Peernote
import PeernoteFiles
import PeernoteTestSupport
import PnmergeCommands

/// Documents of Automerge, which people get from others as they get documents of our own.
///
/// An input is a row of chunks, each with its kind, two bytes of length and a body; the head of each
/// with its checksum is added, since no mutation would ever meet that.
extension FuzzTarget {
  /// A file made of an input.
  private static func automergeFile(_ bytes: [UInt8]) -> [UInt8] {
    var file: [UInt8] = []
    var rest = bytes[...]
    while rest.count >= 3 {
      let head = rest.prefix(3)
      let kind: Chunk.Kind = head[head.startIndex] & 1 == 0 ? .document : .change
      let size = Int(head[head.startIndex + 1]) << 8 | Int(head[head.startIndex + 2])
      rest = rest.dropFirst(3)
      file += Chunk.encoded(kind, body: Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return file
  }

  /// What is read has to be written and read again as the same changes, and to the same bytes.
  static func automergeFaults(_ bytes: [UInt8]) -> [String] {
    let file = automergeFile(bytes)
    guard let history = try? AutomergeHistory(.init(file, file.indices)) else { return [] }
    let state = AutomergeState(history)
    _ = state.conflicts
    var faults: [String] = []
    let written = AutomergeState.encoded(history)
    do {
      let again = try AutomergeHistory(.init(written, written.indices))
      if Set(again.numbers.keys) != Set(history.numbers.keys) {
        faults.append("other changes are read than were written")
      }
      if AutomergeState.encoded(again) != written { faults.append("written otherwise again") }
      let merged = try AutomergeHistory([
        .init(written, written.indices), .init(file, file.indices),
      ])
      if AutomergeState.encoded(merged) != written {
        faults.append("merged with itself it differs")
      }
    } catch {
      faults.append("cannot be read back: \(error)")
    }
    var replay = AutomergeReplay(state)
    for number in history.order {
      replay.go(to: history.parents[number])
      replay.make(number) { _ in }
    }
    return faults
  }

  /// What is imported has to be sound, and the same from the file as it is written again.
  static func importFaults(_ bytes: [UInt8]) -> [String] {
    let file = automergeFile(bytes)
    let name = FileName("a.automerge")
    guard let document = try? AutomergeImport.document(of: file, from: name) else { return [] }
    let imported = document.bytes()
    var faults = Document.validate(bytes: imported).map { "imported unsoundly: \($0)" }
    do {
      let history = try AutomergeHistory(.init(file, file.indices))
      // What waits for others stands elsewhere in what is written.
      guard history.pending.isEmpty else { return faults }
      let written = AutomergeState.encoded(history)
      if try AutomergeImport.document(of: written, from: name).bytes() != imported {
        faults.append("imported as another document once it is written again")
      }
    } catch {
      faults.append("cannot be imported once it is written again: \(error)")
    }
    return faults
  }

  /// Documents of the samples.
  static var automergeSeeds: [[UInt8]] {
    let names = [
      "15_raw_automerge", "27_changes_only", "29_incremental", "30_orphan", "33_two_docs",
    ]
    return names.compactMap { name in
      let path = Repository.path("Fixtures/meetingnotes/e_damaged/\(name).meetingnotes")
      guard let data = try? Data(contentsOf: path), let file = try? AutomergeFile(Array(data)),
        let history = try? AutomergeHistory(file.source)
      else { return nil }
      return history.copies[0].chunks.flatMap { chunk -> [UInt8] in
        let body = chunk.body(in: file.source)
        return [chunk.kind.rawValue & 1, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
      }
    }
  }
}
