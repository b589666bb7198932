import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// How much memory the built program takes for documents that are made to be dear.
///
/// A file of n bytes may take 16 n bytes and 32 MiB, of which the program alone takes 11. So up to
/// a megabyte there are 37 bytes for each one, and small files tell whether large ones fit.
/// `PEERNOTE_MEMORY` says how large the files are, instead of 120 kB, and has all kinds of them
/// tried, not only those that take the most.
@Suite(
  "Memory", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")),
  .enabled(if: Sanitizer.current == nil, "a sanitizer takes memory of its own"))
struct MemoryTests {
  private static let wantedSize =
    ProcessInfo.processInfo.environment["PEERNOTE_MEMORY"].flatMap { Int($0) }
  private static let size = wantedSize ?? 120_000
  private static let dearest: Set<String> = [
    "elements", "members", "empty maps", "insertions all over a text", "texts of one character",
    "a character typed and deleted again and again", "two agents that always cross",
    "one member added again and again",
  ]
  /// What counts for nothing: memory comes in pages, and is kept for reuse.
  private static let slack = 1 << 20

  /// What memory reading may take for each byte, beyond that of the program alone.
  private static let readingEach = 37.0
  /// What merging may take: two documents and their union, and the result read again.
  private static let mergingEach = 85.0
  /// Of these kinds there are no files of a megabyte (``Limits/containers(weighing:)``).
  private static let smallOnly = ["empty maps": 1.8]

  @Test("a file takes no more memory than the manual page says, whatever it holds")
  func bound() throws {
    let program = try Program()
    let empty = program.directory.appendingPathComponent("empty.peernote")
    try Data(Document(id: HostileFile.id).encoded()).write(to: empty)
    var commands: [(name: String, size: Int, limit: Double, words: [String])] = []
    func add(_ name: String, _ size: Int, _ limit: Double, _ words: [String]) {
      commands.append((name, size, limit, [Program.path] + words))
    }
    for words in Self.readers { add("nothing: \(words[0])", 0, 0, words + [empty.path]) }
    for file in HostileFile.all
    where Self.wantedSize != nil || Self.dearest.contains(file.name) {
      let path = program.directory.appendingPathComponent("\(commands.count).peernote")
      let bytes = try Self.bytes(of: file)
      try Data(bytes).write(to: path)
      let factor = Self.smallOnly[file.name] ?? 1
      for words in Self.readers {
        add(
          "\(file): \(words[0])", bytes.count, factor * Self.readingEach, words + [path.path])
      }
      let copy = program.directory.appendingPathComponent("\(commands.count).copy")
      try Data(file.sibling().encoded()).write(to: copy)
      add(
        "\(file): merge", bytes.count, factor * Self.mergingEach,
        ["merge", "--no-backup", "-q", copy.path, path.path])
    }
    let list = program.directory.appendingPathComponent("commands")
    try commands.map { $0.words.joined(separator: "\t") + "\n" }.joined()
      .write(to: list, atomically: true, encoding: .utf8)
    let tool = Repository.path("Tests/Tools/peak_memory.py").path
    let run = try program.sh("python3 -S '\(tool)' < commands")
    let results = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    try #require(results.count == commands.count, "\(run.errors)")
    let peaks = results.map { (Int($0[1]) ?? .max) * 1024 }
    let alone = peaks[..<Self.readers.count].max() ?? 0
    for (command, (result, peak)) in zip(commands, zip(results, peaks)) {
      #expect(result[0] == "0", "\(command.name)")
      let each = Double(peak - alone - Self.slack) / Double(max(command.size, 1))
      #expect(
        command.size == 0 || each <= command.limit,
        "\(command.name): \(Int(each)) bytes for each of \(command.size)")
    }
  }

  private static let readers = [
    ["validate", "-q"], ["cat"], ["cat", "--format", "json"], ["inspect"], ["log"],
  ]

  /// A file of about that size, or smaller if that is beyond the limits.
  private static func bytes(of file: HostileFile) throws -> [UInt8] {
    var size = self.size
    while true {
      do {
        return try file.document(size: size).encoded()
      } catch let error as DocumentError where error.kind == .limit && size > 1000 {
        size /= 2
      }
    }
  }

}
