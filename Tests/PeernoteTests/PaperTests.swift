import Foundation
import PeernoteTestSupport
import Testing

/// What the pages for those who change the library say is what the sources are like.
@Suite("Pages on architecture and adding") struct PaperTests {
  @Test(
    "a folder names types of those folders only that the architecture allows",
    arguments: [
      ("the library", ["Engine", "Merging", "Models", "Folders"].map { "Peernote" + $0 }),
      ("the commands", ["PnmergeCommands"]),
    ])
  func folders(name: String, targets: [String]) throws {
    let allowed = try Self.allowedFolders(of: name)
    var left = Set(allowed.keys)
    var home: [String: String] = [:]
    for target in targets {
      let sources = try Repository.files(in: "Sources/\(target)", type: "swift")
        .map(SourceFile.init)
      for source in sources {
        left.remove(source.folder)
        for type in source.types { home[type] = source.folder }
      }
      for source in sources {
        for word in source.words {
          guard let used = home[word], used != source.folder else { continue }
          #expect(
            allowed[source.folder]?.contains(used) ?? false,
            "\(source.path) in \(source.folder) names \(word) of \(used)")
        }
      }
    }
    #expect(left.isEmpty)
    #expect(home.count > 150)
  }

  @Test("every file that the page on adding names is there")
  func places() throws {
    let named = try Self.sections().values.joined()
    #expect(named.count > 80)
    for path in named {
      #expect(
        FileManager.default.fileExists(atPath: Repository.path(path).path(percentEncoded: false)),
        "\(path)")
    }
  }

  @Test("a kind of container is added by changing at most 25 files")
  func filesOfKind() throws {
    let page = try Self.text(of: "Sources/Peernote/Peernote.docc/Adding.md")
    let section = try #require(page.components(separatedBy: "\n## A kind of container\n").last)
    let table = try #require(section.components(separatedBy: "\nAll else goes by").first)
    let files = table.split(separator: "`").filter { $0.hasSuffix(".swift") }
    #expect((15...25).contains(files.count))
  }

  @Test(
    "every file that names the newest kind stands in the list of the page on adding",
    arguments: [
      ("An operation", ".moveElement"), ("A kind of container", ".counter"),
      ("A section of the file", "SectionNumber"),
    ])
  func switches(section: String, sign: String) throws {
    let named = try #require(try Self.sections()[section])
    var count = 0
    for file in try Repository.files(in: "Sources", type: "swift") {
      let source = try SourceFile(file)
      // Automerge's counters are no kind of ours.
      guard source.uses(sign), !source.path.hasPrefix("Sources/AutomergeFormat/") else { continue }
      #expect(named.contains(source.path), "\(source.path) uses \(sign)")
      count += 1
    }
    #expect(count > 1)
  }

  @Test(
    "the README begins with two commands of one line: one does the main job, one runs all tests")
  func firstCommands() throws {
    let blocks = try Self.text(of: "README.md").components(separatedBy: "```sh\n").dropFirst()
      .prefix(2).map { $0.prefix { $0 != "`" }.split(separator: "\n") }
    #expect(blocks.map(\.count) == [1, 1])
    let commands = blocks.compactMap(\.first)
    #expect(commands.allSatisfy { $0.hasPrefix("sudo apt-get install -y libcbor-dev libyaml-dev") })
    #expect(commands.first?.contains("Fixtures/notes/phone.peernote") ?? false)
    #expect(
      commands.last?.hasSuffix(
        "&& swift test -c release -debug-info-format none --disable-testable-imports") ?? false)
    // What the second installs is what the script of the checks installs.
    let packages = commands.last?.split(separator: " ").dropFirst(4).prefix { $0 != "&&" }
    let script = try Self.text(of: ".ci/run")
    #expect(script.contains("packages=(\(packages?.joined(separator: " ") ?? ""))"))
  }

  @Test("every command stands in a list of commands")
  func commands() throws {
    let files = try Repository.files(in: "Sources/PnmergeCommands", type: "swift").map {
      try String(contentsOf: $0, encoding: .utf8)
    }
    let commands = files.flatMap { text in
      text.split(separator: "\n").compactMap { line in
        line.hasPrefix("struct ") && line.contains(/: (Hosted|Options|History|OneFile)Command/)
          ? line.dropFirst(7).prefix { $0 != ":" } : nil
      }
    }
    #expect(commands.count > 20)
    for command in commands {
      #expect(
        files.contains { $0.contains("\(command).self,") || $0.contains("\(command).self\n") })
    }
  }

  // MARK: Reading the pages

  /// The folders that each folder may use, from a table of the architecture.
  private static func allowedFolders(of part: String) throws -> [String: Set<String>] {
    let page = try text(of: "Sources/Peernote/Peernote.docc/Architecture.md")
    let section = try #require(page.components(separatedBy: "\n## Folders of \(part)\n").last)
    let table = try #require(section.components(separatedBy: "| folder |").dropFirst().first)
    var result: [String: Set<String>] = [:]
    for line in table.split(separator: "\n").dropFirst(2).prefix(while: { $0.hasPrefix("|") }) {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      result[cells[1]] = Set(
        cells[3].split(separator: ",").map {
          $0.trimmingCharacters(in: .whitespaces)
        })
    }
    return result
  }

  /// The paths that each section of the page on adding names; a file stands in the folder named last.
  private static func sections() throws -> [String: [String]] {
    let page = try text(of: "Sources/Peernote/Peernote.docc/Adding.md")
    var result: [String: [String]] = [:]
    for section in page.components(separatedBy: "\n## ").dropFirst() {
      let title = String(section.prefix { $0 != "\n" })
      var folder = ""
      for word in section.split(separator: "`").map(String.init) {
        if ["Sources/", "Tests/", "Fixtures/", "man/"].contains(where: word.hasPrefix) {
          if word.hasSuffix("/") { folder = word } else { result[title, default: []].append(word) }
        } else if !folder.isEmpty, word.hasSuffix(".swift") || word.hasSuffix(".py") {
          result[title, default: []].append(folder + word)
        }
      }
    }
    return result
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOf: Repository.path(path), encoding: .utf8)
  }
}

/// The code of a file, without comments and strings.
private struct SourceFile {
  /// From the top of the repository.
  let path: String
  /// The words that the file uses, those after a point aside: these are no types of their own.
  private(set) var words: Set<String> = []
  /// The types that the file declares for others, those inside of types aside.
  private(set) var types: [String] = []
  private var code: [UInt8] = []

  private static let modifiers: Set<String> = ["public", "package", "final", "indirect"]
  private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias"]

  init(_ file: URL) throws {
    path = String(
      file.path(percentEncoded: false).dropFirst(
        Repository.root.path(percentEncoded: false).count))
    for line in Array(try Data(contentsOf: file)).split(separator: UInt8(ascii: "\n")) {
      read(line)
    }
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    var lineWords: [String] = []
    var isString = false
    var word: [UInt8] = []
    var isMember = false
    func isComment(_ index: Int) -> Bool {
      line[index] == UInt8(ascii: "/") && index + 1 < line.endIndex
        && line[index + 1] == UInt8(ascii: "/")
    }
    func endWord() {
      if !word.isEmpty, !isMember { lineWords.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    for index in line.indices {
      let byte = line[index]
      if !isString, isComment(index) { break }
      if byte == UInt8(ascii: "\"") { isString.toggle() }
      if isString { continue }
      code.append(byte)
      if Self.isPartOfWord(byte) {
        // The points of a range are more than one.
        if word.isEmpty {
          isMember =
            line[..<index].suffix(2).count { $0 == UInt8(ascii: ".") } == 1
            && line[..<index].last == UInt8(ascii: ".")
        }
        word.append(byte)
      } else {
        endWord()
      }
    }
    endWord()
    code.append(UInt8(ascii: "\n"))
    words.formUnion(lineWords)
    guard line.first.map(Self.isPartOfWord) ?? false else { return }
    let declaration = lineWords.drop { Self.modifiers.contains($0) }.prefix(2)
    guard let kind = declaration.first, let name = declaration.last,
      declaration.count == 2, Self.kinds.contains(kind)
    else { return }
    types.append(name)
  }

  /// The folder of the library that the file is in.
  var folder: String { String(path.split(separator: "/")[2]) }

  /// Whether the file uses a word, or after a point a case of an enumeration.
  func uses(_ sign: String) -> Bool {
    let sign = Array(sign.utf8)
    guard let first = sign.first else { return false }
    return code.indices.contains { start in
      guard code[start] == first, code[start...].starts(with: sign) else { return false }
      let end = start + sign.count
      let before = start > 0 ? code[start - 1] : 0
      return !(end < code.count && Self.isPartOfWord(code[end]))
        && !Self.isPartOfWord(before) && !")]?!".utf8.contains(before)
    }
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    case _: false
    }
  }
}
