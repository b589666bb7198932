import ArgumentParser

/// A command that takes any number of files, whose time grows no faster than their number.
///
/// It takes its files as ``FileNames``.
protocol FilesCommand: ParsableCommand {
  var fileArguments: [FileNames] { get set }
}

extension FilesCommand {
  var files: [FileName] { fileArguments.flatMap(\.names) }
}

/// The files that an argument names: one, or many that were joined.
///
/// The argument parser takes time that grows with the square of the number of arguments, minutes for
/// 20,000. So a long row of names is given to it as one argument, with a zero byte between two
/// names, which no argument holds.
package struct FileNames: ExpressibleByArgument {
  package var names: [FileName]

  /// Gives the name to take in place of another one.
  typealias Replacing = (FileName) throws(Failure) -> FileName

  private static let separator: Character = "\0"
  /// So many names in a row are left alone.
  private static let rowLength = 32

  init(_ names: [FileName]) { self.names = names }

  package init?(argument: String) {
    names = []
    for name in argument.split(separator: Self.separator, omittingEmptySubsequences: false) {
      guard let file = FileName(argument: String(name)) else { return nil }
      names.append(file)
    }
  }

  static var defaultCompletionKind: CompletionKind { .file() }

  /// The arguments with long rows of names joined.
  ///
  /// The first of a row may be an option's value, and is left alone; so is an empty argument, which
  /// is no name. O(n).
  package static func joined(_ arguments: [String]) -> [String] {
    var result: [String] = []
    var row: [String] = []
    func endRow() {
      if row.count <= rowLength {
        result += row
      } else {
        result += [row[0], row[1...].joined(separator: String(separator))]
      }
      row.removeAll()
    }
    for argument in arguments {
      if argument.isEmpty || argument.hasPrefix("-") {
        endRow()
        result.append(argument)
      } else {
        row.append(argument)
      }
    }
    endRow()
    return result
  }
}
