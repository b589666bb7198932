import ArgumentParser
import Peernote

/// Where conflicts stand, for people: of passages on one line each with its column.
struct ConflictPlaces {
  /// The columns of passages that share a line, from 1, by name of the conflict.
  private var columns: [String: Int] = [:]

  /// Counts the columns of all that is undecided in a document.
  ///
  /// O(conflicts), and O(text) for each text that has several passages on one line.
  init(of conflicts: [Conflict], in document: Document) {
    var texts = TextsByLine(of: document)
    let passages = conflicts.filter { $0.scalars != nil && $0.line != nil }
    let lines = Dictionary(grouping: passages) { $0.path.appending("\($0.line ?? 0)") }
    for conflict in lines.values.filter({ $0.count > 1 }).joined() {
      let start = conflict.scalars?.lowerBound ?? 0
      columns[conflict.id] = texts.lines(conflict.path)?.column(of: start)
    }
  }

  /// Path and line, and the column where it takes that: `/body:12`, `/body:12:5`.
  func place(of conflict: Conflict) -> String {
    conflict.place + (columns[conflict.id].map { ":\($0)" } ?? "")
  }

  /// The column of a passage that shares its line with others; else `nil`.
  func column(of conflict: Conflict) -> Int? { columns[conflict.id] }
}

/// A line of a text, and which of the passages on it is meant: `12`, `12:5`.
struct LineArgument {
  let line: Int
  /// Where the passage begins, in characters from 1; `nil` for all on the line.
  let column: Int?

  /// Reads an argument; the error says what is expected.
  init(parsing argument: String) throws {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let line = parts[0], parts.allSatisfy({ $0 != nil })
    else {
      throw ValidationError("A line is expected, or a line and a column, from 1: 12 or 12:5.")
    }
    self.line = line
    column = parts.count == 2 ? parts[1] : nil
  }

  func isPlace(of conflict: Conflict, _ places: ConflictPlaces) -> Bool {
    conflict.line == line
      && (column == nil || (places.column(of: conflict) ?? column) == column)
  }

  var text: String { column.map { "\(line):\($0)" } ?? "\(line)" }
}
