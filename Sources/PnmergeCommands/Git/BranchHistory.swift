/// What the current branch had under some names.
///
/// Asks git only if it is asked, and then once for all of the names.
final class BranchHistory {
  private let repository: GitRepository
  private let paths: [FileName]

  /// The history of some names from the top of the tree.
  init(_ repository: GitRepository, of paths: [FileName]) {
    self.repository = repository
    self.paths = paths
  }

  /// Names for git at a time; the system limits the length of an argument list.
  private static let batchSize = 500

  /// The objects in the last commit, by their names.
  private var head: [FileName: [UInt8]]?
  /// For each name the objects that any commit had under it.
  private var earlier: [FileName: Set<[UInt8]>]?

  /// Whether the last commit has an object under a name, or under another if a branch renamed the
  /// file.
  func holds(_ object: String, at path: FileName) throws(Failure) -> Bool {
    if head == nil { head = try repository.objects(of: "HEAD") }
    let (objects, wanted) = (head ?? [:], Array(object.utf8))
    return objects[path].map { $0 == wanted } ?? objects.values.contains(wanted)
  }

  /// Whether any commit had an object under a name.
  func had(_ object: String, at path: FileName) throws(Failure) -> Bool {
    if earlier == nil { earlier = try listObjects() }
    return earlier?[path]?.contains(Array(object.utf8)) ?? false
  }

  /// Walks the history of the names.
  private func listObjects() throws(Failure) -> [FileName: Set<[UInt8]>] {
    var found: [FileName: Set<[UInt8]>] = [:]
    for start in stride(from: 0, to: paths.count, by: Self.batchSize) {
      let places = paths[start..<min(start + Self.batchSize, paths.count)].map {
        FileName(bytes: Array(":(top,literal)".utf8) + $0.bytes)
      }
      let options = ["log", "-m", "--format=", "--raw", "-z", "--no-abbrev", "--no-renames"]
      let result = try repository.run(
        options.map { FileName($0) } + [FileName("HEAD"), FileName("--")] + places)
      guard result.status == 0 else { continue }
      // ":100644 100644 <old object> <new object> M" NUL "<path>" NUL
      let pieces = result.output.splitAtNUL.filter { !$0.isEmpty }
      for index in stride(from: 0, to: pieces.count - 1, by: 2) {
        let words = pieces[index].split(separator: UInt8(ascii: " "))
        guard words.count == 5 else { continue }
        found[FileName(bytes: pieces[index + 1]), default: []]
          .formUnion(words[2...3].map { Array($0) })
      }
    }
    return found
  }
}

extension GitRepository {
  /// The objects of a commit's files; none if there is no such commit.
  func objects(of commit: String) throws(Failure) -> [FileName: [UInt8]] {
    let tree = try run(["ls-tree", "-r", "-z", "--full-tree", commit].map { FileName($0) })
    guard tree.status == 0 else { return [:] }
    var objects: [FileName: [UInt8]] = [:]
    for line in tree.output.splitAtNUL {
      // "100644 blob <object>\t<path>"
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      let words = line[..<tab].split(separator: UInt8(ascii: " "))
      guard words.count == 3 else { continue }
      objects[FileName(bytes: line[(tab + 1)...])] = Array(words[2])
    }
    return objects
  }
}
