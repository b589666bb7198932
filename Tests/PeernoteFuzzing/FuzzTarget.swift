import Peernote
import PeernoteCBOR
import PeernoteJSON
import PeernoteTestSupport
import PnmergeCommands

/// What a fuzzer feeds with bytes.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// The reader of single CBOR items.
  case cbor
  /// A file without its checksum, which is added: envelope, view and log, and merging.
  case file
  /// The parts of a log (``LogFrame``), put into a file that is otherwise sound: what the columns
  /// say, and merging.
  case log
  /// Copies of one document that several people edited (``HistoryFrame``): merging, and all other
  /// laws of histories.
  case merge
  /// Deltas of the golden documents without their checks, which are added.
  case delta
  /// Damaged copies of a document (``RepairFrame``).
  case repair
  /// The reader of notes as Markdown.
  case markdown
  /// The reader of JSON, and of documents as JSON.
  case json
  /// The regular expressions of schemas.
  case pattern
  /// Schemas, and what is held against them.
  case schema
  /// Documents of Automerge, whose checksums are added: reading, merging and writing.
  case automerge
  /// Such documents as they are imported.
  case imports
  /// The section of contested passages of documents that have some.
  case passages
  /// Decisions from the page of a review.
  case decisions
  /// Tracked files with a line that names their version.
  case marker
  /// Names of conflict copies.
  case names

  /// The longest that one input may take of a processor; 100 times what the slowest fixture needs.
  private static let patience = Duration.seconds(10)

  /// Does with bytes what a program would.
  ///
  /// The process ends where something traps.
  ///
  /// - Returns: one clause for each thing that went wrong; an orderly refusal is nothing wrong.
  package func faults(_ bytes: [UInt8]) -> [String] {
    var faults: [String] = []
    let start = ProcessorTime.ofThread
    switch self {
    case .cbor: faults = Self.cborFaults(bytes)
    case .file:
      let base = FuzzBase.all[0]
      faults = Probe.faults(sealed(bytes), goods: base.goods)
    case .log:
      let frame = LogFrame(bytes)
      faults = Probe.faults(frame.file.bytes, goods: frame.base.goods)
    case .merge: faults = HistoryFrame(bytes).faults
    case .delta: faults = Self.deltaFaults(bytes)
    case .repair: faults = Self.repairFaults(bytes)
    case .markdown: faults = Self.markdownFaults(bytes)
    case .json: faults = Self.jsonFaults(bytes)
    case .pattern: faults = Self.patternFaults(bytes)
    case .schema: faults = Self.schemaFaults(bytes)
    case .automerge: faults = Self.automergeFaults(bytes)
    case .imports: faults = Self.importFaults(bytes)
    case .passages: faults = Self.passageFaults(bytes)
    case .decisions: faults = Self.decisionFaults(bytes)
    case .marker: faults = Self.markerFaults(bytes)
    case .names: faults = Self.nameFaults(bytes)
    }
    let time = ProcessorTime.ofThread - start
    if time > Self.patience { faults.append("took \(time)") }
    return faults
  }

  /// Sound inputs to start from.
  package var seeds: [[UInt8]] {
    let documents = FuzzBase.all
    switch self {
    case .cbor: return documents.map { $0.file.view.encoded }
    case .file: return documents.map { Array($0.file.bytes.dropLast(34)) }
    case .log: return documents.indices.map { LogFrame.bytes(ofBase: $0) }
    case .merge: return (0..<2 * Law.all.count).map { HistoryFrame.bytes($0) }
    case .delta: return Self.deltaSeeds
    case .repair: return (0..<48).map { RepairFrame.bytes(ofBase: $0) }
    case .markdown: return Self.notes.map { Array($0.utf8) }
    case .json: return documents.map { $0.goods[0].root.exactJSON.bytes(indented: true) }
    case .pattern: return Self.patternSeeds
    case .schema: return Self.schemaSeeds
    case .automerge, .imports: return Self.automergeSeeds
    case .passages: return Self.passageSeeds
    case .decisions: return Self.decisionSeeds
    case .marker: return Self.markerSeeds
    case .names: return Self.nameSeeds
    }
  }

  private static let notes = [
    "",
    "# Only text\n",
    """
    ---
    title: "Weekly: \\u001b\\n\\x7f"
    tags:
      - planning
      - 'it''s'
      - !!str 12
    priority: high
    created: 2026-11-20T14:02:11.250Z
    rating: -4.5e3
    who: !uuid 5d0d2c44-5d0c-4b4e-8d50-0d3f1b1e7a10
    raw: !!binary aGVsbG8=
    none: ~
    octal: 0o17
    text: |
      folded
      lines
    ---
    Body with --- and
    ---
    more.
    """,
    "---\n{title: x, tags: [a, \"b\"], deep: [[1]]}\n---\n\n\nEnd",
  ]

  // MARK: Readers

  private static func cborFaults(_ bytes: [UInt8]) -> [String] {
    _ = diagnosticNotation(of: bytes)
    var reader = CBORReader(bytes)
    guard let range = try? reader.skipItem(depthLimit: 64) else { return [] }
    do {
      let item = Array(bytes[range])
      return try CBORTree(item).encoded == item ? [] : ["an item is written otherwise"]
    } catch {
      return ["an item that can be skipped cannot be read: \(error)"]
    }
  }

  private static func repairFaults(_ bytes: [UInt8]) -> [String] {
    let frame = RepairFrame(bytes)
    for file in frame.files { _ = Document.readableContent(bytes: file) }
    do {
      return try RepairLaw(
        repairing: frame.files, of: frame.originals, sound: frame.sound, isCut: frame.isCut
      ).faults
    } catch {
      return ["what was saved cannot be taken apart: \(error)"]
    }
  }

  private static func markdownFaults(_ bytes: [UInt8]) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self),
      let note = try? NoteMarkdown.parsed(text).note
    else { return [] }
    let written = NoteMarkdown.text(of: note)
    do {
      let again = NoteMarkdown.text(of: try NoteMarkdown.parsed(written).note)
      if !again.utf8.elementsEqual(written.utf8) { return ["read back as another note"] }
      let document: Document
      do {
        document = try Self.document { try $0.create(note) }
      } catch is EditError {
        // More than a document can hold.
        return []
      }
      let findings = Document.validate(bytes: document.bytes())
      if !findings.isEmpty { return ["stored unsoundly: \(findings)"] }
      let stored = Note(root: try Document(bytes: document.bytes()).rootInOrderOfWriting)
      let same = stored.map { NoteMarkdown.text(of: $0).utf8.elementsEqual(written.utf8) }
      return same == true ? [] : ["stored as another note"]
    } catch {
      return ["cannot be read back: \(error)"]
    }
  }

  private static func jsonFaults(_ bytes: [UInt8]) -> [String] {
    guard let json = try? JSONReader.value(in: bytes) else { return [] }
    let written = json.bytes()
    do {
      guard try JSONReader.value(in: written).bytes() == written else {
        return ["read back as another value"]
      }
    } catch {
      return ["cannot be read back: \(error)"]
    }
    guard let node = try? DocumentNode(json, as: .exact) else { return [] }
    let exact = node.exactJSON.bytes()
    guard let again = try? DocumentNode(node.exactJSON, as: .exact) else {
      return ["content that cannot be read back"]
    }
    return again.exactJSON.bytes() == exact ? [] : ["read back as other content"]
  }

  private static func document(_ edit: (inout Editor) throws -> Void) throws -> Document {
    var document = Document(id: UniqueID(high: 0x4000, low: 0x8000 << 48))
    try document.change(by: .person(1, "", at: 0)) { try edit(&$0) }
    return document
  }
}
