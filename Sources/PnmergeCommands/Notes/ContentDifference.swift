import Peernote
import PeernoteJSON

/// A place where two contents differ: that only one of them has, or where they hold different
/// things.
struct DifferentPlace {
  /// Where it is in the new content; in the old one for what only that has.
  var path: JSONPointer
  /// Where a list element stood before it was moved.
  var from: JSONPointer?
  /// `nil`: there is nothing at that place.
  var old: DocumentNode?
  var new: DocumentNode?

  /// One member for each side that has something at the place.
  var json: JSON {
    .object(present: [
      "path": .string(path.description), "from": from.map { .string($0.description) },
      "a": old?.json, "b": new?.json,
    ])
  }
}

/// Compares two contents: maps by key, lists element by element, all else as a whole.
///
/// Which elements of two lists are the same is told as where content is replaced: by `id`, else as
/// they are, else by how like they are; so one more element is one difference.
enum ContentDifference {
  /// Calls `body` with each place where two contents of a path differ, in order.
  ///
  /// O(*n*) for contents of *n* nodes and characters; takes no memory for the places.
  static func forEachPlace<Failure: Error>(
    from old: DocumentNode?, to new: DocumentNode?, at path: JSONPointer = JSONPointer(),
    _ body: (DifferentPlace) throws(Failure) -> Void
  ) throws(Failure) {
    switch (old, new) {
    case (.map(let old)?, .map(let new)?):
      // Both are sorted by length and bytes of their keys.
      var (left, right) = (old[...], new[...])
      while let key = [left, right].compactMap(\.first).min(by: Entry.precedes)?.key {
        func take(_ rest: inout ArraySlice<Entry>) -> DocumentNode? {
          let isNext = rest.first?.key.utf8.elementsEqual(key.utf8) ?? false
          return isNext ? rest.removeFirst().node : nil
        }
        try forEachPlace(from: take(&left), to: take(&right), at: path.appending(key), body)
      }
    case (.list(let old)?, .list(let new)?): try compare(old, new, at: path, body)
    case (_, _): if old != new { try body(DifferentPlace(path: path, old: old, new: new)) }
    }
  }

  private typealias Entry = DocumentNode.MapEntry

  private static func compare<Failure: Error>(
    _ old: [DocumentNode], _ new: [DocumentNode], at path: JSONPointer,
    _ body: (DifferentPlace) throws(Failure) -> Void
  ) throws(Failure) {
    func place(_ index: Int) -> JSONPointer { path.appending(String(index)) }
    let partners = ContentMatching.exact.partners(from: old, to: new)
    let moved = ContentMatching.moved(partners)
    var gone = Set(old.indices).subtracting(partners.compactMap(\.self)).sorted()[...]
    for (index, partner) in partners.enumerated() {
      guard let partner, !moved.contains(index) else {
        try body(
          DifferentPlace(
            path: place(index), from: partner.map(place), old: partner.map { old[$0] },
            new: new[index]))
        continue
      }
      while let first = gone.first, first < partner {
        gone.removeFirst()
        try body(DifferentPlace(path: place(first), old: old[first]))
      }
      try forEachPlace(from: old[partner], to: new[index], at: place(index), body)
    }
    for index in gone { try body(DifferentPlace(path: place(index), old: old[index])) }
  }
}

extension JSONReport.Value {
  /// The list of the places where two contents differ.
  static func differences(from old: DocumentNode, to new: DocumentNode) -> Self {
    .list { add in
      try ContentDifference.forEachPlace(from: old, to: new) { try add($0.json) }
    }
  }
}
