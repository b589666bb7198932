import AutomergeFormat
import Peernote

extension AutomergeState {
  /// The whole content.
  ///
  /// The state's depth has been checked. O(n).
  var root: DocumentNode { node(ofObject: 0) }

  /// What an operation wrote.
  func node(_ place: Int32) -> DocumentNode {
    if let object = object(madeBy: place) { return node(ofObject: object) }
    return DocumentNode(scalar(place))
  }

  private func node(ofObject object: Int) -> DocumentNode {
    switch kind(ofObject: object) {
    case .text: return .text(text(ofObject: object))
    case .list: return .list(slots(ofObject: object).map { node(shown($0)) })
    case .map:
      var entries = slots(ofObject: object).map { slot in
        DocumentNode.MapEntry(
          key: String(decoding: key(slot), as: UTF8.self), node: node(shown(slot)))
      }
      // Automerge orders keys by their bytes; here the shorter ones come first.
      entries.sort(by: DocumentNode.MapEntry.precedes)
      return .map(entries)
    }
  }
}
