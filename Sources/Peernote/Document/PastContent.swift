/// What a document said at a version, as far as that is still known.
///
/// Text that was redacted since is left out, so that it can be brought forward: nothing in the
/// content stands for something else.
public struct PastContent: Sendable {
  /// A text of the content from which something is missing.
  public struct Gap: Hashable, Sendable {
    /// Where the text stands in the content.
    public var path: JSONPointer
    /// How many scalars of it were redacted.
    public var scalars: Int
  }

  /// The content: a map.
  public var root: Node
  /// The texts from which something is missing, in the order of their containers.
  public var gaps: [Gap]
  /// The document as of then, with a marker for each scalar that is missing.
  let document: Document
}

extension Document {
  /// What the document said at a version, without what was redacted since.
  ///
  /// This is what to bring forward, as with ``Editor/restore(at:from:)``. The document that
  /// ``at(version:)`` gives has U+FFFD for each redacted scalar instead, so that places in its texts
  /// are those of the version.
  ///
  /// One walk over the whole history.
  ///
  /// - Parameter version: the heads of the version.
  /// - Returns: the content and what is missing from it.
  /// - Throws: ``DocumentError`` if one of the changes is not there, or the history takes more than
  ///   the limits.
  public func content(atVersion version: [ChangeID]) throws(DocumentError) -> PastContent {
    let (changes, marker) = try markedChanges()
    let past = try at(version: version, of: changes)
    var texts = past.file.texts
    var gaps: [PastContent.Gap] = []
    for container in texts.indices {
      let known = marker.removed(from: texts[container].string)
      let missing = texts[container].scalarCount - known.unicodeScalars.count
      if missing == 0 { continue }
      texts[container] = TextBuffer(known)
      if let path = past.file.objects.path(to: Int32(container)) {
        gaps.append(PastContent.Gap(path: JSONPointer(path), scalars: missing))
      }
    }
    return PastContent(
      root: past.file.objects.node(ofContainer: 0, texts: texts), gaps: gaps, document: past)
  }
}

/// A scalar that stands for redacted text while a past version is looked at, and for nothing else.
struct RedactionMarker {
  /// The scalar; `nil` if nothing is redacted, or none is free.
  let scalar: Unicode.Scalar?

  /// The last scalar that was never inserted.
  ///
  /// O(bytes).
  init(in inserted: InsertedText) {
    guard inserted.hasUnknown else {
      scalar = nil
      return
    }
    let used = Set(inserted.knownScalars)
    let free = (0...UInt32(0x10_FFFF)).reversed().lazy.filter { !used.contains($0) }
    scalar = free.compactMap { Unicode.Scalar($0) }.first
  }

  /// A text without the marker.
  ///
  /// O(bytes).
  func removed(from text: String) -> String {
    guard let scalar, text.unicodeScalars.contains(scalar) else { return text }
    var known = String.UnicodeScalarView()
    known.append(contentsOf: text.unicodeScalars.lazy.filter { $0 != scalar })
    return String(known)
  }
}
