// Makes the parts of reports, for documents of other formats that are reported on in the same form.

extension Conflict {
  /// A conflict in a document of another format.
  package static func foreign(
    _ kind: Kind, at path: JSONPointer, id: String, kept: Side, others: [Side], line: Int? = nil
  ) -> Conflict {
    Conflict(
      path: path, line: line, kind: kind, id: id, kept: kept, others: others)
  }
}

extension Conflict.Side {
  /// A value in a document of another format; `nil` if it is a removal.
  package static func foreign(
    _ node: DocumentNode?, by author: String, at time: Timestamp, change: ChangeID
  ) -> Conflict.Side {
    Conflict.Side(node: node, author: author, time: time, change: change)
  }
}
