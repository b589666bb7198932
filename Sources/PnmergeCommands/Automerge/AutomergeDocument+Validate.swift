import AutomergeFormat
import Peernote

extension AutomergeDocument {
  /// What is wrong with a file that can be read: the shape that MeetingNotes needs, and a name that
  /// says something else than the bytes do.
  var findings: [DocumentError] {
    guard copy.form == .meetingNotes else {
      let name = String(decoding: copy.file.lastComponent.bytes, as: UTF8.self).lowercased()
      guard name.hasSuffix(".meetingnotes") else { return [] }
      return [
        DocumentError(
          "an Automerge document without the envelope of MeetingNotes; the app refuses it",
          in: .envelope, at: 0)
      ]
    }
    return MeetingNotesSchema.violations(in: state).map {
      DocumentError(
        "\(JSONPointer($0.path).visible) \($0.reason); the app cannot open it", in: "schema")
    }
  }

  /// What is unusual about it, and harms nobody.
  var remarks: [String] {
    let held = history.copies[0]
    var remarks: [String] = []
    if held.hasWrongHeadIndexes { remarks.append("says wrongly where its heads stand") }
    if !history.pending.isEmpty {
      remarks.append(
        "\(counted(history.pending.count, "change")) \(history.pending.count == 1 ? "waits" : "wait") "
          + "for others that are not here")
    }
    if let advice = AgendaRepair.advice(on: state, in: copy.file) { remarks.append(advice) }
    return remarks
  }
}
