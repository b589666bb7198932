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
  }

  /// The change that creates the text, and the text.
  private static let root = ChangeID(agent: AgentID(rawValue: 1), sequence: 1)
  static let body = ContainerID.created(EventID(change: root, index: 0))

  var endContent: String
  var txns: [Transaction]

  /// Whether each transaction follows the one before it, by the same agent.
  var isSequential: Bool {
    txns.enumerated().allSatisfy { index, transaction in
      transaction.parents == (index == 0 ? [] : [index - 1])
        && transaction.agent == txns[0].agent
    }
  }

  /// Reads a trace, gzipped or not, by its path or its name in ``TraceFolder``.
  init(path: String) throws {
    self = try JSONDecoder().decode(Trace.self, from: Self.read(TraceFolder.file(path)))
  }

  /// The bytes of a file, inflated if it is gzipped.
  static func read(_ path: String) throws -> Data {
    let data = try Data(contentsOf: URL(filePath: path))
    return data.starts(with: [0x1F, 0x8B]) ? try output(of: ["gzip", "-dc", "--", path]) : data
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
    let start: Int64 = 1_700_000_000_000
    let root = Change(
      id: Self.root, parents: [], time: Timestamp(milliseconds: start),
      edits: [.put(map: .root, key: "body", content: .container(.text))])
    let body = Self.body
    var changes = [root]
    var lastSequence: [Int: Int] = [:]
    var names: [ChangeID] = []
    for part in parts {
      let end = names.count + part.transactions
      while names.count < end {
        let group = txns[names.count..<min(names.count + part.perChange, end)]
        let first = txns[names.count]
        let sequence = (lastSequence[first.agent] ?? 0) + 1
        lastSequence[first.agent] = sequence
        let id = ChangeID(agent: AgentID(rawValue: UInt64(first.agent) + 2), sequence: sequence)
        let parents = first.parents.isEmpty ? [root.id] : first.parents.map { names[$0] }.sorted()
        changes.append(
          Change(
            id: id, parents: parents,
            time: Timestamp(milliseconds: start + 1000 * Int64(changes.count)),
            edits: group.flatMap { $0.patches.flatMap { $0.edits(of: body) } }))
        names.append(contentsOf: Array(repeating: id, count: group.count))
      }
    }
    return changes
  }
}

extension Trace.Patch {
  /// The patch as edits of a text.
  func edits(of text: ContainerID) -> [Edit] {
    var edits: [Edit] = []
    if deleted > 0 {
      edits.append(
        .deleteText(from: text, at: position, count: deleted, backward: false, text: nil))
    }
    if !inserted.isEmpty { edits.append(.insertText(into: text, at: position, text: inserted)) }
    return edits
  }
}

/// Where traces are found that are called by the beginning of their names.
enum TraceFolder {
  /// Those that come with the repository, seen from its top.
  static let standard = "Fixtures/traces"

  /// What a command's help says of an argument that names a trace.
  static let help = "A trace: a file, or the beginning of a name in \(standard), such as C1."

  /// The file of a trace: a path itself, or what a name in the folder begins with.
  static func file(_ trace: String, in folder: String = standard) throws -> String {
    if isFile(trace) { return trace }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard let name = names.sorted().first(where: { $0.hasPrefix("\(trace)-") }) else {
      throw ValidationError(
        "\(trace): there is no such file, and no trace of this name in \(folder); "
          + "its README says which there are, and where to get others")
    }
    return "\(folder)/\(name)"
  }

  /// The file that says what two sides did after a trace: a path itself, or the name of a case, such
  /// as `C1-1000`.
  static func sides(_ name: String, in folder: String = standard) throws -> String {
    if isFile(name) { return name }
    let file = "\(folder)/offline/\(name).json.gz"
    guard isFile(file) else {
      throw ValidationError("\(name): there is no such file, and no \(file)")
    }
    return file
  }

  private static func isFile(_ path: String) -> Bool {
    let values = try? URL(filePath: path).resourceValues(forKeys: [.isRegularFileKey])
    return values?.isRegularFile ?? false
  }
}
