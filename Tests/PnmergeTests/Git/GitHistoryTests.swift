import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// Rebuilds the history of a list, `Fixtures/git/list-history.txt`, with git and the driver.
///
/// Every merge is made by both sides, and both have to get the same file, with every entry in it
/// once. `PEERNOTE_GIT_MERGES` sets how many of its 200 merges are made, by default the first 30.
@Suite("git: the history of a list")
struct GitHistoryTests {
  @Test("both sides of every merge get the same blob, with every entry once")
  func rebuild() throws {
    var history = try ListHistory()
    let limit = TestSetting.count("GIT_MERGES") ?? 30
    while history.mergeCount < limit, try history.step() {}
    #expect(history.mergeCount == limit)
  }
}

private struct ListHistory {
  /// What the commits up to one did to the entries.
  private struct Content {
    /// Names of what was put in: entries, and for one that a revert brought back which revert.
    var added: Set<String> = []
    var removed: Set<String> = []
    /// Texts that replace the first ones.
    var edited: [String: String] = [:]

    func union(_ other: Content) -> Content {
      Content(
        added: added.union(other.added), removed: removed.union(other.removed),
        edited: edited.merging(other.edited) { first, _ in first })
    }
  }

  private struct Commit {
    var content: Content
    var words: [Substring]
  }

  private let git: GitSandbox
  private var lines: ArraySlice<Substring>
  private var sections: [String: String] = [:]
  private var texts: [String: String] = [:]
  private var commits: [Int: Commit] = [:]
  private var agents: UInt64 = 0
  private(set) var mergeCount = 0

  init() throws {
    git = try GitSandbox()
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/git/list-history.txt")
    lines = try String(contentsOf: fixture, encoding: .utf8).split(separator: "\n")
      .drop { $0.hasPrefix("#") }
    try run("git init -q r; cd r; pnmerge git install -q")
    try start()
  }

  private func run(_ script: String) throws {
    let run = try git.sh(script)
    #expect(run.status == 0, "\(script): \(run.errors)")
  }

  // MARK: Commits

  private mutating func start() throws {
    let line = lines.removeFirst()
    #expect(line == "0 - start")
    var content = Content()
    while let entry = lines.first, entry.hasPrefix("+ ") {
      record(entry.dropFirst(2), in: &content)
      lines.removeFirst()
    }
    commits[0] = Commit(content: content, words: ["start"])
    var document = Document(id: UniqueID(high: 7, low: 7))
    try document.change(by: session(0)) { try $0.create(Note(title: "List", body: body(content))) }
    try write(document)
    try run("cd r; git add -A; git commit -qm 0; git tag c0")
  }

  /// Notes an entry, as `SECTION NAME TEXT`.
  private mutating func record(_ entry: Substring, in content: inout Content) {
    let words = entry.split(separator: " ", maxSplits: 2).map { String($0) }
    sections[words[1]] = words[0]
    texts[words[1]] = words[2]
    content.added.insert(words[1])
  }

  /// Makes the next commit; `false` if there is none.
  mutating func step() throws -> Bool {
    guard let line = lines.popFirst() else { return false }
    let words = line.split(separator: " ", maxSplits: 2)
    let number = try #require(Int(words[0]))
    let parents = words[1].split(separator: ",").compactMap { Int($0) }
    let first = try #require(commits[parents[0]])
    var content = first.content
    let operation = words[2].split(separator: " ", maxSplits: 2)
    switch operation[0] {
    case "merge":
      content = content.union(try #require(commits[parents[1]]).content)
      try merge(parents, number, content)
    case "revert":
      let target = try #require(Int(operation[1]))
      try revert(target, number, &content)
      try commitReverted(target, number, parents[0])
    case "add": record(words[2].dropFirst(4), in: &content)
    case "edit": content.edited[String(operation[1])] = String(operation[2])
    case "drop": content.removed.insert(String(operation[1]))
    default: Issue.record("\(line)")
    }
    commits[number] = Commit(content: content, words: operation)
    if ["add", "edit", "drop"].contains(operation[0]) {
      let name = String(
        operation[0] == "add" ? operation[2].split(separator: " ")[0] : operation[1])
      try edit(name, content, number, parents[0])
    }
    return true
  }

  /// Writes, changes or removes the line of one entry.
  private mutating func edit(
    _ name: String, _ content: Content, _ number: Int, _ parent: Int
  ) throws {
    try run("cd r; git checkout -q --detach c\(parent)")
    var document = try read()
    var lines = try #require(Note(root: document.root)).body
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    let new = content.removed.contains(name) ? [] : [line(name, content)]
    if let place = lines.firstIndex(where: { $0.hasPrefix("- [\(name)]") }) {
      lines.replaceSubrange(place...place, with: new)
    } else {
      let heading = try #require(lines.firstIndex(of: "## \(sections[name] ?? "")"))
      let place = lines[(heading + 2)...].firstIndex { $0.isEmpty || $0 > new[0] }
      lines.insert(contentsOf: new, at: place ?? lines.endIndex)
    }
    try document.change(by: session(number)) {
      try $0.replaceText(at: JSONPointer(["body"]), with: lines.joined(separator: "\n"))
    }
    try write(document)
    try run("cd r; git commit -qam \(number); git tag c\(number)")
  }

  /// Notes what git revert does.
  private func revert(_ target: Int, _ number: Int, _ content: inout Content) throws {
    let words = try #require(commits[target]).words
    switch words[0] {
    case "add": content.removed.insert(String(words[2].split(separator: " ")[0]))
    // The same however many branches revert it.
    case "drop": content.added.insert("\(words[1])~\(target)")
    default: Issue.record("\(target) is reverted")
    }
  }

  private func commitReverted(_ target: Int, _ number: Int, _ parent: Int) throws {
    try run(
      """
      cd r; git checkout -q --detach c\(parent)
      git revert --no-edit c\(target) > "$T/log" 2>&1; git tag c\(number)
      """)
  }

  private mutating func merge(_ parents: [Int], _ number: Int, _ content: Content) throws {
    let (ours, theirs) = ("c\(parents[0])", "c\(parents[1])")
    try run(
      """
      cd r; git checkout -q --detach \(theirs); git merge -q --no-ff -m other \(ours) 2> "$T/log"
      other=$(blob HEAD)
      git checkout -q --detach \(ours); git merge -q --no-ff -m \(number) \(theirs) 2> "$T/log"
      git tag c\(number); test $(blob HEAD) = $other
      tree=$(git merge-tree --write-tree \(theirs) \(ours) 2> "$T/log")
      test $(blob $tree) = $other
      """)
    mergeCount += 1
    let document = try read()
    let shown = try #require(Note(root: document.root)).body.split(separator: "\n")
    #expect(shown.sorted() == body(content).split(separator: "\n").sorted(), "commit \(number)")
  }

  // MARK: Content

  /// The list: sections and the entries in them by the alphabet.
  private func body(_ content: Content) -> String {
    let names = content.added.subtracting(content.removed).map { String($0.prefix { $0 != "~" }) }
    let bySection = Dictionary(grouping: names) { sections[$0] ?? "" }
    return Set(sections.values).sorted().map { section in
      let entries = (bySection[section] ?? []).sorted().map { line($0, content) + "\n" }
      return "## \(section)\n\n" + entries.joined()
    }.joined(separator: "\n")
  }

  private func line(_ name: String, _ content: Content) -> String {
    "- [\(name)](https://example.org/\(name)) - \(content.edited[name] ?? texts[name] ?? "")."
  }

  private mutating func session(_ number: Int) -> DocumentSession {
    agents += 1
    return DocumentSession.person(
      0x9E37_79B9_7F4A_7C15 &* agents, "a", at: 1_700_000_000_000 + Int64(number) * 60_000)
  }

  private var file: URL {
    git.program.directory.appending(path: "r/n.peernote")
  }

  private func read() throws -> Document {
    try Document(bytes: Array(try Data(contentsOf: file)))
  }

  private func write(_ document: Document) throws {
    try Data(document.bytes()).write(to: file)
  }
}
