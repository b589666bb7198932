import Foundation
import PeernoteTestSupport
import Testing

/// The code in the library's documentation is code that the tests compile and run.
@Suite struct DocumentationTests {
  /// The code of the examples, without white space.
  private let examples: [String]

  init() throws {
    examples = try Repository.files(in: "Tests/PeernoteTests/Examples", type: "swift").map {
      Self.squeezed(try String(contentsOf: $0, encoding: .utf8))
    }
  }

  @Test("every example of the guides is part of an example that runs")
  func guides() throws {
    var count = 0
    for file in try Repository.files(in: "Sources/Peernote/Peernote.docc", type: "md") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let code = try #require(block.components(separatedBy: "```").first)
        #expect(runs(code), "\(file.lastPathComponent):\n\(code)")
        count += 1
      }
    }
    #expect(count > 20)
  }

  @Test("every test that the page on threats names is there")
  func threats() throws {
    let page = try String(
      contentsOf: Repository.path("Sources/Peernote/Peernote.docc/Threats.md"),
      encoding: .utf8)
    let tests = try Repository.files(in: "Tests", type: "swift").map {
      try String(contentsOf: $0, encoding: .utf8)
    }
    let names = Set(page.matches(of: /`([A-Za-z]+Tests)`/).map { String($0.1) })
    #expect(names.count > 20)
    for name in names {
      #expect(tests.contains { $0.contains("struct \(name) ") }, "\(name)")
    }
    for row in page.split(separator: "\n") where row.hasPrefix("| ") && !row.contains("Held by") {
      #expect(row.contains("Tests`"), "\(row)")
    }
  }

  @Test("every example in a comment of the library is part of an example that runs")
  func comments() throws {
    var count = 0
    let sources = try ["Engine", "Merging", "Models", "Folders", "Files"].flatMap {
      try Repository.files(in: "Sources/Peernote\($0)", type: "swift")
    }
    for file in sources {
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      var block: [String]?
      for (line, before) in zip(lines.dropFirst(), lines) {
        if line.hasPrefix("///     "), block != nil || before == "///" {
          block = (block ?? []) + [String(line.dropFirst(3))]
        } else if let code = block {
          #expect(
            runs(code.joined(separator: "\n")), "\(file.lastPathComponent):\n\(code)")
          block = nil
          count += 1
        }
      }
    }
    #expect(count > 4)
  }

  @Test("the example of the readme is part of an example that runs")
  func readme() throws {
    let text = try String(contentsOf: Repository.path("README.md"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst()
    #expect(!blocks.isEmpty)
    for block in blocks {
      let code = try #require(block.components(separatedBy: "```").first)
      #expect(runs(code.replacingOccurrences(of: "import Peernote\n", with: "")), "\(code)")
    }
  }

  @Test("every guide and example is listed on the first page")
  func pages() throws {
    let files = try Repository.files(in: "Sources/Peernote/Peernote.docc", type: "md")
    let first = try #require(files.first { $0.lastPathComponent == "Peernote.md" })
    let text = try String(contentsOf: first, encoding: .utf8)
    for file in files where file != first {
      let name = file.deletingPathExtension().lastPathComponent
      #expect(text.contains("<doc:\(name)>"), "\(name)")
    }
  }

  @Test("every public type is named by a page for those who use the library")
  func types() throws {
    let pages = try Repository.files(in: "Sources/Peernote/Peernote.docc", type: "md")
    let inside: Set = [
      "Adding", "Architecture", "Contributing", "Decisions", "Glossary", "Measurements", "Threats",
    ]
    let words = try Set(
      pages.filter { !inside.contains($0.deletingPathExtension().lastPathComponent) }.flatMap {
        try String(contentsOf: $0, encoding: .utf8).split { !$0.isLetter }.map(String.init)
      })
    var count = 0
    for part in ["Engine", "Merging", "Models", "Folders", "Files", "Foundation"] {
      for file in try Repository.files(in: "Sources/Peernote\(part)", type: "swift") {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /public (?:struct|enum|actor|protocol|class) (\w+)/) {
          #expect(words.contains(String(match.1)), "\(match.1)")
          count += 1
        }
      }
    }
    #expect((30...60).contains(count), "\(count) public types")
  }

  private func runs(_ code: String) -> Bool {
    let wanted = Self.squeezed(code)
    return examples.contains { $0.contains(wanted) }
  }

  private static func squeezed(_ code: String) -> String {
    String(code.filter { !$0.isWhitespace })
  }
}
