import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

/// An editing history: transactions with their parents, each a list of patches.
struct Trace: Decodable {
  /// One transaction.
  struct Transaction: Decodable {
    var parents: [Int]
    var agent: Int
    var patches: [Patch]
  }

  /// Deletes, then inserts, at a position in Unicode scalars.
  struct Patch: Decodable {
    var position: Int
    var deleted: Int
    var inserted: String

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      position = try values.decode(Int.self)
      deleted = try values.decode(Int.self)
      inserted = try values.decode(String.self)
    }

    /// The patch as edits of the text.
    var edits: [Edit] {
      var edits: [Edit] = []
      if deleted > 0 {
        edits.append(
          .deleteText(from: body, at: position, count: deleted, backward: false, text: nil))
      }
      if !inserted.isEmpty { edits.append(.insertText(into: body, at: position, text: inserted)) }
      return edits
    }
  }

  /// When the first change of each history was made, that change, and the text that it creates.
  static let start: Int64 = 1_700_000_000_000
  static let first = Change(
    1, time: start, [.put(map: .root, key: "body", content: .container(.text))])
  static let body = first.id.container(0)

  var endContent: String
  var txns: [Transaction]

  /// Whether each transaction follows the one before it, by the same agent.
  var isSequential: Bool {
    txns.enumerated().allSatisfy { index, transaction in
      transaction.parents == (index == 0 ? [] : [index - 1])
        && transaction.agent == txns[0].agent
    }
  }

  /// What a command's help says of an argument that names a trace.
  static let help = "A trace: a file, or the beginning of a name in \(folder), such as C1."

  /// The traces that come with the repository, seen from its top.
  static let folder = "Fixtures/traces"

  /// Reads a trace, or what two sides do after one, gzipped or not: by the path of a file, by what
  /// the name of a trace in the folder begins with, or by a case in its folder `offline`, such as
  /// `C1-1000`.
  static func read<Value: Decodable>(
    _ name: String, as type: Value.Type = Trace.self, in folder: String = folder
  ) throws -> Value {
    let traces = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let candidates =
      [name] + traces.sorted().filter { $0.hasPrefix("\(name)-") }.map { "\(folder)/\($0)" }
      + ["\(folder)/offline/\(name).json.gz"]
    let file = candidates.first {
      let values = try? URL(filePath: $0).resourceValues(forKeys: [.isRegularFileKey])
      return values?.isRegularFile ?? false
    }
    guard let file else {
      throw ValidationError(
        "\(name): there is no such file, and no trace or case of this name in \(folder); "
          + "its README says which there are, and where to get others")
    }
    let data = try Data(contentsOf: URL(filePath: file))
    let isGzipped = data.starts(with: [0x1F, 0x8B])
    return try JSONDecoder().decode(
      type, from: isGzipped ? try output(of: ["gzip", "-dc", "--", file]) : data)
  }

  /// The document with some changes.
  static func document(_ changes: [Change]) throws -> Document {
    try Document(
      id: UniqueID(high: 0x7065_6572_6E6F_4E74, low: 0xA000_0000_0000_0001), changes: changes,
      recoveringDeletedText: true)
  }

  /// The changes of a document whose body has this history, after a first one that creates it: so
  /// many transactions in each, where more than one is for sequential traces only; 0 is for all.
  func changes(perChange count: Int) -> [Change] {
    changes([(txns.count, count == 0 ? max(txns.count, 1) : count)])
  }

  /// The same in parts with so many transactions, and so many in a change; each change a second
  /// after the one before.
  func changes(_ parts: [(transactions: Int, perChange: Int)]) -> [Change] {
    var changes = [Self.first]
    var lastSequence: [Int: Int] = [:]
    var names: [ChangeID] = []
    for part in parts {
      let end = names.count + part.transactions
      while names.count < end {
        let group = txns[names.count..<min(names.count + part.perChange, end)]
        let first = txns[names.count]
        lastSequence[first.agent, default: 0] += 1
        let change = Change(
          UInt64(first.agent) + 2, lastSequence[first.agent] ?? 1,
          after: first.parents.isEmpty ? [Self.first.id] : first.parents.map { names[$0] },
          time: Self.start + 1000 * Int64(changes.count),
          group.flatMap { $0.patches.flatMap(\.edits) })
        changes.append(change)
        names.append(contentsOf: Array(repeating: change.id, count: group.count))
      }
    }
    return changes
  }
}
