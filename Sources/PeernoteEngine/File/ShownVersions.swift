import PeernoteCBOR

/// The merged versions that a tracked plain file has shown, in an optional section of its history.
///
/// An array of versions, each the array of its heads; both ascend. The set only grows: two copies
/// that have different ones make their union.
package struct ShownVersions: Hashable {
  package static let sectionNumber: UInt64 = 1000

  /// The most versions that are added to: more would fill the room that all optional sections have.
  package static let limit = 1 << 14

  /// Each by its heads, of which there are two or more, ascending.
  package var versions: Set<[ChangeID]> = []

  package init() {}

  /// Reads the content of a section; `nil` if it is none of this form.
  package init?(_ content: [UInt8]) {
    var reader = CBORReader(content)
    do throws(CBORError) {
      for _ in 0..<(try reader.readArrayHeader()) {
        let heads = try reader.readChanges()
        guard heads.count > 1 else { return nil }
        versions.insert(heads)
      }
      try reader.finish()
    } catch {
      return nil
    }
    guard bytes() == content else { return nil }
  }

  package func bytes() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(versions.count)
    for heads in versions.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      writer.changes(heads)
    }
    return writer.bytes
  }

  /// The content of the section of the union, in which a content of another form has no part;
  /// `nil` if both are of another form.
  package static func union(_ ours: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
    if ours == theirs { return ours }
    guard var result = ShownVersions(ours) else {
      return ShownVersions(theirs) == nil ? nil : theirs
    }
    guard let other = ShownVersions(theirs) else { return ours }
    result.versions.formUnion(other.versions)
    return result.bytes()
  }
}
