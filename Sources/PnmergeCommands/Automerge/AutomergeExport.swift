import AutomergeFormat
import Peernote

/// Makes a new Automerge document that shows what a document shows.
enum AutomergeExport {
  /// The bytes of a file of a format with one change, under an identity of its own, O(n); throws if the
  /// app could not open it, or what reads such files here.
  static func bytes(
    of root: DocumentNode, as format: DocumentFormat, from file: FileName,
    _ invocation: Invocation
  ) throws(Failure) -> [UInt8] {
    let host = invocation.host
    var builder = AutomergeBuilder(
      by: UniqueID(high: host.randomBits(), low: host.randomBits()).bytes)
    builder.fill(AutomergeBuilder.root, with: root)
    let seconds = try invocation.currentTime().milliseconds / 1000
    let chunks: [UInt8]
    do throws(AutomergeError) {
      chunks = AutomergeState.encoded(try builder.finish(time: seconds))
      let history = try AutomergeHistory(AutomergeHistory.Source(chunks, chunks.indices))
      if format == .meetingNotes,
        let violation = MeetingNotesSchema.violations(in: AutomergeState(history)).first
      {
        throw AutomergeError(
          "MeetingNotes could not open it, since \(JSONPointer(violation.path).visible) "
            + "\(violation.reason); try --format automerge")
      }
    } catch {
      throw Failure(.usage, file: file, "\(error.reason); nothing was written")
    }
    guard format == .meetingNotes else { return chunks }
    let id = UniqueID(randomBits: host.randomBits(), host.randomBits())
    return MeetingNotesEnvelope(id: id.bytes, chunks: chunks).bytes()
  }
}

/// Content as Automerge has it: sets become lists, and UUIDs become strings, for it has neither.
extension AutomergeBuilder {
  /// Writes content at a key or an element, in the place of the operations that are shown there.
  mutating func put(
    _ node: DocumentNode, at slot: Slot, of object: OperationID,
    replacing replaced: [OperationID] = []
  ) {
    let name = put(AutomergeValue(node), at: slot, of: object, replacing: replaced)
    fill(name, with: node)
  }

  /// Inserts content into a list behind an element, and returns the new element's name.
  mutating func insert(
    _ node: DocumentNode, into list: OperationID, after element: OperationID
  ) -> OperationID {
    let name = insert(AutomergeValue(node), into: list, after: element)
    fill(name, with: node)
    return name
  }

  /// Writes what is inside of content into its object, which is empty; scalars have nothing inside.
  mutating func fill(_ object: OperationID, with node: DocumentNode) {
    if case .text(let text) = node { return insert(text, into: object) }
    switch node.form {
    case .value: break
    case .map(let entries):
      for entry in entries { put(entry.node, at: .key(entry.key), of: object) }
    case .list(let elements):
      var last = OperationID.none
      for element in elements { last = insert(element, into: object, after: last) }
    }
  }
}
