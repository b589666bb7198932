/// Why a JSON text cannot become content.
public enum JSONError: Error, Hashable, Sendable {
  /// It is no JSON (RFC 8259), or JSON that two programs may understand differently: a name stands
  /// twice in one object, an integer fits neither 64 bits nor a double, an escape stands for no
  /// character. Line and column count from 1, columns in Unicode scalars.
  case malformed(line: Int, column: Int, reason: String)
  /// A number has more digits than a double keeps; with the double that is nearest to it.
  case inexact(line: Int, column: Int, number: String, nearest: Double)
  /// It is JSON, but what stands at the path stands for no content.
  case noContent(JSONPointer, reason: String)
}

extension JSONError: CustomStringConvertible {
  /// The place and the reason.
  public var description: String {
    switch self {
    case .malformed(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .inexact(let line, let column, let number, let nearest):
      "line \(line), column \(column): the number \(number) has more digits than are kept; the "
        + "nearest is \(nearest)"
    case .noContent(let path, let reason) where path.tokens.isEmpty: reason
    case .noContent(let path, let reason): "at \(path): \(reason)"
    }
  }
}
