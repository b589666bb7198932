import Peernote

/// What is to become of a place where something was decided or overlaps.
struct Resolution {
  enum Outcome {
    /// This stands there.
    case content(Node)
    /// Nothing stands there.
    case removal
    /// A passage of the text there reads so.
    case passage(Range<Int>, String)
  }

  var path: JSONPointer
  var outcome: Outcome
}

extension Editor {
  /// Settles conflicts, given in the order of the content.
  ///
  /// - Throws: ``EditError`` if one of the places isn't there any more.
  mutating func settle(_ resolutions: [Resolution]) throws(EditError) {
    // From the end, so that a removal in a list changes no path that is still to come.
    for resolution in resolutions.reversed() {
      switch resolution.outcome {
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
      return Resolution(path: path, outcome: side.node.map { .content($0) } ?? .removal)
    case .overlap:
      guard let scalars, case .text(let old) = kept.node, case .text(let new) = side.node,
        !old.utf8.elementsEqual(new.utf8)
      else { return nil }
      return Resolution(path: path, outcome: .passage(scalars, new))
    }
  }
}
