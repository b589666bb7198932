import Peernote
import PeernoteTestSupport

/// A document of which the repository keeps the file.
struct GoldenDocument: CustomStringConvertible, Sendable {
  /// The file's name without its extension.
  let name: String
  /// Makes the document; the same on every machine.
  let make: @Sendable () throws -> DocumentFile

  init(_ name: String, _ make: @escaping @Sendable () throws -> DocumentFile) {
    self.name = name
    self.make = make
  }

  /// A document of a history told change by change.
  init(_ name: String, _ tell: @escaping @Sendable (inout Story) -> Void) {
    self.init(name) {
      var story = Story(time: goldenTime)
      tell(&story)
      return try Self.file(of: name, story.changes)
    }
  }

  var description: String { name }

  /// The document of some changes, whose identifier follows from the name.
  static func file(of name: String, _ changes: [Change]) throws -> DocumentFile {
    let high = name.utf8.reduce(0x7065_6572_6E6F_7465) { ($0 << 5 | $0 >> 59) ^ UInt64($1) }
    let id = UniqueID(randomBits: high, ~high)
    return try DocumentFile(Document(id: id, changes: changes).bytes())
  }

  /// Whether its file was made before there were passages, and shows the raw text where there are
  /// some by now.
  var isOlderThanPassages: Bool { name == "graph" }

  /// All of them.
  static let all =
    [
      GoldenDocument("empty") { _ in }, values, containers, note, nested, depth, text, redacted,
      interleaving, unicode, registers, deletions, replaced, lists, removed, sets, metadata,
      sections, graph, passages,
    ]
}

extension Edit {
  /// Puts a value under a key of the root.
  static func put(_ key: String, _ value: Value) -> Edit {
    .put(map: .root, key: key, content: .value(value))
  }

  /// Puts a new container under a key of the root.
  static func put(_ key: String, new kind: ContainerKind) -> Edit {
    .put(map: .root, key: key, content: .container(kind))
  }
}

/// 2026-11-20T14:00:00Z, in milliseconds.
let goldenTime: Int64 = 1_795_183_200_000
