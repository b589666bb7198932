/// A file that git left in conflict, with its versions in the index.
struct UnmergedFile {
  /// The name from the top of the work tree.
  var path: FileName
  /// Names of the objects for the ancestor, the current and the incoming version; `nil` where that
  /// side has no such file.
  var ancestor: String?
  var current: String?
  var incoming: String?
}

extension GitRepository {
  /// The files in conflict, or those of them that some patterns match.
  ///
  /// Patterns are those of git, from the working directory.
  func unmergedFiles(_ patterns: [FileName]) throws(Failure) -> [UnmergedFile] {
    let options = ["ls-files", "--unmerged", "-z", "--full-name", "--"].map { FileName($0) }
    // Without a pattern only what is below the working directory would be listed.
    let places = patterns.isEmpty ? [FileName(":/")] : patterns
    var files: [UnmergedFile] = []
    for line in try output(options + places).splitAtNUL {
      // "100644 <object> <stage>\t<path>"
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      let words = line[..<tab].split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count == 3 else { continue }
      let path = FileName(bytes: line[(tab + 1)...])
      if files.last?.path != path { files.append(UnmergedFile(path: path)) }
      switch words[2] {
      case "1": files[files.count - 1].ancestor = words[1]
      case "2": files[files.count - 1].current = words[1]
      default: files[files.count - 1].incoming = words[1]
      }
    }
    return files
  }
}
