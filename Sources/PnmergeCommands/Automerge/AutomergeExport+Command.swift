import AutomergeFormat
import Peernote

extension AutomergeCopy.Form {
  /// The form that a format for exports names; `nil` for others.
  init?(_ format: DocumentFormat?) {
    switch format {
    case .meetingNotes: self = .meetingNotes
    case .automerge: self = .automerge
    case .json, .markdown, .text, nil: return nil
    }
  }
}

/// Makes a new Automerge document that shows what a document shows.
enum AutomergeExport {
  /// The bytes of a file of a form with one change, under an identity of its own; O(n).
  ///
  /// - Throws: ``Failure`` if the app could not open it.
  static func bytes(
    of root: DocumentNode, as form: AutomergeCopy.Form, from file: FileName,
    _ invocation: Invocation
  ) throws(Failure) -> [UInt8] {
    let host = invocation.host
    var builder = AutomergeBuilder(
      by: UniqueID(high: host.randomBits(), low: host.randomBits()).bytes)
    builder.fill(AutomergeBuilder.root, with: root)
    let chunks: [UInt8]
    do throws(AutomergeError) {
      let seconds = invocation.currentTimeOrNow.milliseconds / 1000
      chunks = AutomergeState.encoded(try builder.finish(time: seconds))
      if form == .meetingNotes {
        let history = try AutomergeHistory(
          AutomergeHistory.Source(chunks, chunks.indices))
        if let violation = MeetingNotesSchema.violations(in: AutomergeState(history)).first {
          throw AutomergeError(
            "MeetingNotes could not open it, since \(JSONPointer(violation.path).visible) "
              + "\(violation.reason); try --format automerge")
        }
      }
    } catch {
      throw Failure(.usage, file: file, "\(error.reason); nothing was written")
    }
    guard form == .meetingNotes else { return chunks }
    let id = UniqueID(randomBits: host.randomBits(), host.randomBits())
    return MeetingNotesEnvelope(id: id.bytes, chunks: chunks).bytes()
  }
}

extension Invocation {
  /// The time for new changes; that of the clock where a variable for it makes no sense.
  fileprivate var currentTimeOrNow: Timestamp { (try? currentTime()) ?? host.now }
}
