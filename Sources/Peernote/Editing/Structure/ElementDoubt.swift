/// An element of a list that was taken for one that the document held, though it may be another.
///
/// Where wanted content replaces a list, elements without an identity are told by how like they
/// are; see ``Editor/replaceContent(at:with:matching:)``. What others did meanwhile to the old
/// element then stands in the new one.
package struct ElementDoubt: Hashable, Sendable {
  /// Where the element stands in the wanted content.
  package var path: JSONPointer
  /// What the document held.
  package var old: DocumentNode
  /// What it was made to read.
  package var new: DocumentNode
}
