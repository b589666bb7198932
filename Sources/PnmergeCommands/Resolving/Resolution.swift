import Peernote

/// What is to become of a place where something was decided or overlaps.
struct Resolution {
  enum Outcome {
    /// What stands there stays, and counts as settled.
    case staying
    /// This stands there.
    case content(Node)
    /// Nothing stands there.
    case removal
    /// A passage of the text there reads so.
    case passage(Range<Int>, String)
  }

  var path: JSONPointer
  var outcome: Outcome

  /// Whether nothing of what stood at the path, or inside, is left.
  var isReplacement: Bool {
    switch outcome {
    case .content, .removal: true
    case .staying, .passage: false
    }
  }
}

extension Editor {
  /// Settles conflicts, given in the order of the content.
  ///
  /// A container that stays is written anew, so that it counts as settled; so everything inside
  /// should be settled, too.
  ///
  /// - Throws: ``EditError`` if one of the places isn't there any more.
  mutating func settle(_ resolutions: [Resolution]) throws(EditError) {
    // From the end, so that a removal in a list changes no path that is still to come, and what
    // stays, stays as it was settled inside.
    for resolution in resolutions.reversed() {
      switch resolution.outcome {
      case .staying:
        guard let node = node(at: resolution.path) else { throw .noSuchPlace(resolution.path) }
        try put(node: node, at: resolution.path)
      case .content(let node): try put(node: node, at: resolution.path)
      case .removal: try remove(at: resolution.path)
      case .passage(let scalars, let text):
        try spliceText(at: resolution.path, scalars: scalars, with: text)
      }
    }
  }
}

extension Conflict {
  /// The competing values: what stands there first, then the others.
  var sides: [Side] { [kept] + others }

  /// What it comes to when one side is taken; `nil` if nothing is to be done for that.
  func taking(_ side: Side) -> Resolution? {
    switch kind {
    case .register, .deleteEdit:
      if side == kept { return Resolution(path: path, outcome: .staying) }
      return Resolution(path: path, outcome: side.node.map { .content($0) } ?? .removal)
    case .overlap:
      guard let scalars, case .text(let old) = kept.node, case .text(let new) = side.node,
        !old.utf8.elementsEqual(new.utf8)
      else { return nil }
      return Resolution(path: path, outcome: .passage(scalars, new))
    }
  }
}
