extension Change {
  /// Whether two changes say the same word for word: strings compare by their bytes, not by
  /// canonical equivalence.
  package static func == (left: Change, right: Change) -> Bool {
    left.id == right.id && left.parents == right.parents && left.time == right.time
      && ExactString(left.author) == ExactString(right.author)
      && left.message.map { ExactString($0) } == right.message.map { ExactString($0) }
      && left.edits == right.edits
  }

  /// Feeds the name to the hasher; it tells changes apart but for forks.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension Edit {
  /// Whether two edits are the same, their strings by their bytes.
  package static func == (left: Edit, right: Edit) -> Bool {
    left.parts == right.parts
  }

  /// Feeds all that the edit says to the hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(parts)
  }
}
