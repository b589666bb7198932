import Peernote
import PeernoteJSON

/// Content that comes in from another program's file, to be compared with versions of a document.
struct IncomingContent {
  /// What the content and a version of the document are in one form.
  struct Forms {
    /// How often each line stands in what the version would be exported as.
    private(set) var version: [Substring: Int]
    /// The same of what comes in, as far as that depends on what the version holds.
    private var incoming: [Substring: Int]
    /// Whether what comes in is exactly the version.
    let isSame: Bool
    /// Where it was left without what was redacted since.
    let gaps: [PastContent.Gap]

    /// Compares a version as a text with what comes in.
    init(_ old: String, _ new: String, of version: Document, _ gaps: [PastContent.Gap]) {
      self.init(
        old.allLineCounts, new.allLineCounts, old.utf8.elementsEqual(new.utf8), version, gaps)
    }

    /// Compares content of another kind: a line is a member of a map, an element of a list, a member of
    /// a set, or a line of a text.
    init(_ old: DocumentNode, _ new: DocumentNode, of version: Document, _ gaps: [PastContent.Gap])
    {
      let isSame = old.exactJSON.bytes() == new.exactJSON.bytes()
      self.init(old.partCounts, new.partCounts, isSame, version, gaps)
    }

    private init(
      _ old: [Substring: Int], _ new: [Substring: Int], _ isSame: Bool, _ version: Document,
      _ gaps: [PastContent.Gap]
    ) {
      // What was redacted since counts on neither side.
      let marker = version.redactionMarker
      func parts(_ counts: [Substring: Int]) -> [Substring: Int] {
        marker.map { marker in counts.filter { !$0.key.unicodeScalars.contains(marker) } } ?? counts
      }
      (self.version, incoming) = (parts(old), parts(new))
      (self.isSame, self.gaps) = (isSame, gaps)
    }

    /// What an edit from the version to it takes, by the lines of what the edit is merged with, and
    /// of the version that it was made from, or of a later one.
    func cost(_ present: [Substring: Int], since start: [Substring: Int]) -> EditCost {
      EditCost(from: version, to: incoming, known: present, start)
    }
  }

  /// The file that it comes from.
  var file: FileName
  /// The version that it says it holds.
  var mark: VersionMark?
  /// Whether what it leaves out is meant to go: when a note was started is told to the document
  /// alone, unless an export told it the file.
  var isWhole: Bool
  /// The two in one form; `nil` for a version of another kind.
  var forms: (_ version: Document) throws -> Forms?
  /// Makes a version read like what comes in, and names what changed; `nil` if nothing did.
  var update: (_ version: inout Document) throws -> [String]?
}

extension DocumentNode {
  /// How often each part stands there, with its place; an element of a list is one part.
  fileprivate var partCounts: [Substring: Int] {
    var counts: [Substring: Int] = [:]
    func add(_ part: some StringProtocol, _ path: JSONPointer) {
      counts["\(path): \(part)", default: 0] += 1
    }
    func json(_ node: DocumentNode) -> String {
      String(decoding: node.exactJSON.bytes(), as: UTF8.self)
    }
    func walk(_ node: DocumentNode, _ path: JSONPointer) {
      switch node {
      case .map(let entries):
        for entry in entries { walk(entry.node, path.appending(entry.key)) }
      case .list(let elements): for element in elements { add(json(element), path) }
      case .set(let members): for member in members { add(json(.value(member)), path) }
      case .text(let text): for line in text.splitAtLineFeeds() { add(line, path) }
      default: add(json(node), path)
      }
    }
    walk(self, JSONPointer())
    return counts
  }
}
