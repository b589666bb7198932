/// Why an edit cannot be made.
public enum EditError: Error, Hashable, Sendable {
  /// Nothing stands at the path, or what stands above it cannot hold it.
  case noSuchPlace(JSONPointer)
  /// What stands at the path is of another kind.
  case wrongKind(JSONPointer, expected: ContainerKind)
  /// The range lies outside the text.
  case rangeOutsideText(JSONPointer)
  /// No contested passage stands at the place of the text.
  case noSuchPassage(JSONPointer)
  /// The conflict at the path cannot be settled as was chosen.
  case noSuchChoice(JSONPointer)
  /// Content that comes back was edited where text was redacted since, or has new text as long as
  /// half of that, so that nobody can tell what of it is that text; with the line of the text.
  case redacted(JSONPointer, line: Int)
  /// The document would grow larger or deeper than the limits.
  case limit(JSONPointer, reason: String)
}

extension EditError: CustomStringConvertible {
  /// The path and the reason.
  public var description: String {
    switch self {
    case .noSuchPlace(let path) where path.tokens.isEmpty:
      "the whole document cannot be replaced, moved or removed, only what is in it"
    case .noSuchPlace(let path): "\(path.words): there is no such place in the document"
    case .wrongKind(let path, let kind): "\(path.words): not a \(kind)"
    case .rangeOutsideText(let path): "\(path.words): the range lies outside the text"
    case .noSuchPassage(let path): "\(path.words): no contested passage stands there"
    case .noSuchChoice(let path):
      "\(path.words): the conflict there cannot be settled so; its sides may exclude each other"
    case .redacted(let path, let line):
      "\(path.words): what stands at line \(line) cannot be told from text that was redacted since"
    case .limit(let path, let reason): "\(path.words): \(reason)"
    }
  }
}
