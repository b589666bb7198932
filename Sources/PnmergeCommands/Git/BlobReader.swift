import PeernoteJSON

/// Reads the content of many objects with few calls of git.
struct BlobReader {
  let repository: GitRepository

  /// Names of objects for git at a time: all of them go into a pipe before git's answer is read,
  /// and a pipe holds this much anywhere.
  private static let inputLimit = 4096
  /// Bytes of content at a time, unless one object has more.
  private static let contentLimit = 64 << 20

  /// Reads objects and hands on their content in groups that go together.
  ///
  /// - Parameters:
  ///   - groups: names of objects.
  ///   - body: is called for each group in turn, with what its objects hold by their names.
  /// - Throws: ``Failure`` if git doesn't have one of them, and what the closure throws.
  func read(
    _ groups: [[String]], _ body: (Int, [String: [UInt8]]) throws -> Void
  ) throws {
    let sizes = try sizes(of: Array(Set(groups.joined())).sorted())
    var start = 0
    while start < groups.count {
      var (end, length, size) = (start, 0, 0)
      repeat {
        length += groups[end].reduce(0) { $0 + $1.utf8.count + 1 }
        size += groups[end].reduce(0) { $0 + (sizes[$1] ?? 0) }
        end += 1
      } while end < groups.count && length + 4 * 65 <= Self.inputLimit && size < Self.contentLimit
      let contents = try contents(of: Array(Set(groups[start..<end].joined())))
      for index in start..<end { try body(index, contents) }
      start = end
    }
  }

  private func sizes(of names: [String]) throws(Failure) -> [String: Int] {
    var sizes: [String: Int] = [:]
    var rest = names[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.inputLimit / 65)
      let answer = try ask("--batch-check", batch)
      for line in answer.split(separator: UInt8(ascii: "\n")) {
        let (name, size) = try header(line)
        sizes[name] = size
      }
      rest = rest.dropFirst(batch.count)
    }
    return sizes
  }

  private func contents(of names: [String]) throws(Failure) -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    var rest = try ask("--batch", names)[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let (name, size) = try header(rest[..<end])
      guard rest.endIndex - end > size + 1 else { break }
      contents[name] = Array(rest[(end + 1)..<(end + 1 + size)])
      rest = rest[(end + 1 + size + 1)...]
    }
    if let missing = names.first(where: { contents[$0] == nil }) {
      throw Failure(.ioError, "git cat-file --batch: no answer for \(missing)")
    }
    return contents
  }

  /// Reads `<object> blob <size>`.
  private func header(_ line: ArraySlice<UInt8>) throws(Failure) -> (name: String, size: Int) {
    let words = line.split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count == 3, words[1] == "blob", let size = Int(words[2]) else {
      throw Failure(.ioError, "git cat-file: \(visibleText(of: Array(line)))")
    }
    return (words[0], size)
  }

  private func ask(
    _ option: String, _ names: some Collection<String>
  ) throws(Failure) -> [UInt8] {
    let result = try repository.run(
      ["cat-file", option].map { FileName($0) },
      input: names.flatMap { Array("\($0)\n".utf8) })
    guard result.status == 0 else {
      throw Failure(.ioError, "git cat-file \(option): failed with status \(result.status)")
    }
    return result.output
  }
}
