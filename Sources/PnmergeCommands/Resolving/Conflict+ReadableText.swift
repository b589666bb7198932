import Peernote

extension Conflict {
  /// The conflict with contents that people can read, to be shown.
  var readable: Conflict {
    guard isOfFrontMatter else { return self }
    var result = self
    result.kept.node = kept.node?.readableFrontMatter
    for index in others.indices {
      result.others[index].node = others[index].node?.readableFrontMatter
    }
    return result
  }
}

extension EarlierContent {
  /// What stood there on one line, cut.
  var preview: String {
    guard let node, !node.readableText.isEmpty else { return "nothing" }
    return node.preview
  }

  /// What people can read of it.
  func readable(of conflict: Conflict) -> EarlierContent {
    conflict.isOfFrontMatter && isKnown ? .known(node?.readableFrontMatter) : self
  }
}

extension Node {
  fileprivate var readableFrontMatter: Node {
    if case .text(let text) = self { .text(FrontMatter.readable(text)) } else { self }
  }
}

extension Console {
  /// Says which values were left out, since others stand in their places.
  func report(_ dropped: [DroppedValue]) throws {
    for value in dropped {
      try report("  \(value.path.visible) is \(value.kept.preview), not \(value.dropped.preview)")
    }
  }
}
