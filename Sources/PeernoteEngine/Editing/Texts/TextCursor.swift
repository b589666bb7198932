/// A place in a text that stays where it is through edits and merges.
///
/// A cursor holds on to one scalar, by the event that inserted it, and stands before or after it.
/// If the scalar is deleted, the cursor stands where it stood. It means the same in every copy of
/// the document that has the scalar.
///
///     let caret = try document.cursor(inTextAt: body, scalar: 12)
///     _ = try document.merge(other)
///     let place = try document.place(of: caret)  // where to put the caret now
public struct TextCursor: Hashable, Sendable {
  /// To which side of its place a cursor holds on.
  public enum Affinity: Hashable, Sendable {
    /// To the scalar before it: what is inserted at the cursor comes after it.
    case backward
    /// To the scalar after it: what is inserted at the cursor comes before it.
    case forward
  }

  /// The text.
  public let text: ContainerID
  /// The event that inserted the scalar that the cursor holds on to; `nil` for the start of the
  /// text if it holds on backward, for the end of it if forward.
  public let anchor: EventID?
  /// The side.
  public let affinity: Affinity

  /// A cursor.
  public init(text: ContainerID, anchor: EventID?, affinity: Affinity) {
    self.text = text
    self.anchor = anchor
    self.affinity = affinity
  }

  /// Where a cursor stands in a document.
  public struct Place: Hashable, Sendable {
    /// The path of the text; `nil` if it isn't shown any more.
    public var path: JSONPointer?
    /// How many Unicode scalars of the text come before the cursor.
    public var scalar: Int
    /// How many whole characters (extended grapheme clusters) come before the cursor.
    public var character: Int
  }
}

/// Why there is no such cursor.
public enum CursorError: Error, Hashable, Sendable {
  /// There is no text at the path.
  case noText(JSONPointer)
  /// The place lies outside the text.
  case outsideText(JSONPointer)
  /// The document has no such text, or not the change that inserted the scalar.
  case unknownAnchor
  /// The history of the document contradicts itself.
  case damaged(DocumentError)
}

extension CursorError: CustomStringConvertible {
  /// The reason in one clause.
  public var description: String {
    switch self {
    case .noText(let path): "\(path.words): there is no text"
    case .outsideText(let path): "\(path.words): the place lies outside the text"
    case .unknownAnchor: "the document has not what the cursor holds on to"
    case .damaged(let error): error.description
    }
  }
}

extension Document {
  /// A cursor in a text.
  ///
  /// O(n) for the operations since the scalar was inserted that the cursor holds on to, and a walk
  /// over those of them that are concurrent.
  ///
  /// - Parameters:
  ///   - path: leads to a text.
  ///   - scalar: how many Unicode scalars come before the cursor.
  ///   - affinity: to which side it holds on.
  /// - Returns: the cursor.
  /// - Throws: ``CursorError`` if there is no text or the place lies outside it.
  public func cursor(
    inTextAt path: JSONPointer, scalar: Int, affinity: TextCursor.Affinity = .backward
  ) throws(CursorError) -> TextCursor {
    guard let container = text(at: path) else { throw .noText(path) }
    let length = file.texts[container].scalarCount
    let map = PassageMap(file.passages[container] ?? [])
    let shownLength = map.shown(ofRaw: length, forward: true)
    guard (0...shownLength).contains(scalar) else { throw .outsideText(path) }
    let scalar = map.raw(ofShown: scalar, forward: affinity == .forward)
    let neighbour = affinity == .backward ? scalar - 1 : scalar
    var anchor: EventID?
    if (0..<length).contains(neighbour) {
      do throws(HistoryError) {
        var places = TextPlaces(of: container, in: log)
        anchor = try places.event(at: neighbour).map { log.eventID(of: $0) }
      } catch {
        throw .damaged(DocumentError(error, in: log))
      }
    }
    return TextCursor(text: log.containerID(container), anchor: anchor, affinity: affinity)
  }

  /// A cursor in a text, by character (extended grapheme cluster, as `String` counts).
  ///
  /// O(length of the text), and as by scalar.
  ///
  /// - Parameters:
  ///   - path: leads to a text.
  ///   - character: how many characters come before the cursor.
  ///   - affinity: to which side it holds on.
  /// - Returns: the cursor.
  /// - Throws: ``CursorError`` if there is no text or the place lies outside it.
  public func cursor(
    inTextAt path: JSONPointer, character: Int, affinity: TextCursor.Affinity = .backward
  ) throws(CursorError) -> TextCursor {
    guard case .text(let text) = node(at: path) else { throw .noText(path) }
    guard character >= 0, let scalars = text.scalars(ofCharacters: 0..<character) else {
      throw .outsideText(path)
    }
    return try cursor(inTextAt: path, scalar: scalars.upperBound, affinity: affinity)
  }

  /// Where a cursor stands now.
  ///
  /// O(length of the text), O(n) for the operations since the scalar was inserted that the cursor
  /// holds on to, and a walk over those of them that are concurrent.
  ///
  /// - Throws: ``CursorError`` if the document doesn't have the text or the scalar.
  public func place(of cursor: TextCursor) throws(CursorError) -> TextCursor.Place {
    guard let container = log.containerNumber(of: cursor.text),
      log.containers[container].kind == .text
    else { throw .unknownAnchor }
    let text = file.texts[container]
    let map = PassageMap(file.passages[container] ?? [])
    var scalar = cursor.affinity == .backward ? 0 : text.scalarCount
    if let anchor = cursor.anchor {
      guard let event = log.event(anchor) else { throw .unknownAnchor }
      let found: TextPlaces.Place?
      do throws(HistoryError) {
        var places = TextPlaces(of: container, in: log)
        found = try places.place(of: event)
      } catch {
        throw .damaged(DocumentError(error, in: log))
      }
      guard let found else { throw .unknownAnchor }
      scalar = Int(found.before) + (found.isVisible && cursor.affinity == .backward ? 1 : 0)
    }
    scalar = map.shown(ofRaw: scalar, forward: cursor.affinity == .forward)
    var counter = CharacterCounter(map.shown(from: text).string)
    return TextCursor.Place(
      path: file.objects.path(to: container).map { JSONPointer($0) }, scalar: scalar,
      character: counter.characters(upToScalar: scalar))
  }
}
