package import Peernote

/// What tells a state of a document from every other one: the document's name, and its heads.
package struct DocumentState: Hashable {
  package let id: UniqueID
  package let heads: [ChangeID]

  package init(of document: Document) {
    (id, heads) = (document.id, document.heads)
  }

  /// The state with this identity and these heads, ascending.
  package init(id: UniqueID, heads: [ChangeID]) {
    (self.id, self.heads) = (id, heads)
  }

  /// Why encoded bytes of the document in this state are not to take the place of what a file
  /// holds; `nil` if they can be read back.
  ///
  /// If the document itself is at hand, what the new file has in common with the one that it was read
  /// from is compared only, which is faster and changes nothing else. Without it, its memory is left
  /// to the one that is read.
  package func fault(of bytes: [UInt8], beside document: Document? = nil) -> String? {
    if let document, DocumentState(of: document) == self, document.readBack(bytes) != nil {
      return nil
    }
    do throws(DocumentError) {
      let found = try Document(bytes: bytes)
      return DocumentState(of: found) == self
        ? nil : "the new document reads back differently; nothing was written"
    } catch {
      return "the new document cannot be read back (\(error)); nothing was written"
    }
  }
}
