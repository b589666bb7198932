import PeernoteDigest
import Foundation
import PeernoteTestSupport
import Testing

/// What a page is made of, for tests of what it may hold.
struct PageMarkup {
  /// The names of all elements.
  private(set) var elements: Set<String> = []
  /// The names of all attributes.
  private(set) var attributes: Set<String> = []
  /// The policy, as browsers read it.
  let policy: String
  /// What stands in the elements that hold no markup.
  let styles: [String]
  let scripts: [String]

  init(_ page: String) throws {
    styles = page.matches(of: #/<style>(.*?)</style>/#.dotMatchesNewlines()).map { String($0.1) }
    scripts = page.matches(of: #/<script>(.*?)</script>/#.dotMatchesNewlines())
      .map { String($0.1) }
    let found = try #require(
      page.firstMatch(of: #/http-equiv="Content-Security-Policy" content="([^"]*)"/#))
    policy = String(found.1).replacing("&#39;", with: "'")
    var rest = page
    for text in styles + scripts { rest = rest.replacing(text, with: "") }
    for tag in rest.matches(of: #/<([^<>]*)>/#) {
      let words = tag.1.replacing(#/"[^"]*"/#, with: "").split(separator: " ")
      elements.insert(String((words.first ?? "").drop { $0 == "/" }))
      attributes.formUnion(words.dropFirst().map { String($0.prefix { $0 != "=" }) })
    }
  }

  /// Checks that the page holds nothing but what pages are made of.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    let known: Set = [
      "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "main", "script", "noscript",
      "h1", "h2", "h3", "h4", "p", "ul", "li", "div", "span", "bdi", "b", "ins", "del", "code",
      "pre",
      "a",
      "label", "input", "textarea", "button", "fieldset", "legend", "article", "details", "summary",
      "output", "section",
    ]
    #expect(elements.isSubset(of: known), "\(elements)", sourceLocation: sourceLocation)
    let isActive = { (name: String) in
      name.hasPrefix("on") || ["src", "style", "action", "formaction", "srcdoc"].contains(name)
    }
    #expect(!attributes.contains(where: isActive), "\(attributes)", sourceLocation: sourceLocation)
    #expect(policy.hasPrefix("default-src 'none'; "), sourceLocation: sourceLocation)
    #expect(!policy.contains("unsafe"), sourceLocation: sourceLocation)
    for (kind, texts) in [("style", styles), ("script", scripts)] {
      for text in texts {
        let hash = Data(SHA256.hash(Data(text.utf8))).base64EncodedString()
        #expect(
          policy.contains("\(kind)-src 'sha256-\(hash)';"), "\(kind)",
          sourceLocation: sourceLocation)
      }
    }
    #expect(styles.count == 1 && scripts.count <= 1, sourceLocation: sourceLocation)
  }
}

/// A real browser for pages.
struct PageBrowser {
  let program: Program

  /// Opens a page of the program's directory and does some steps; see drive_page.py.
  ///
  /// - Returns: what each `eval` gave, as JSON.
  func run(
    _ page: String, _ steps: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let tool = Repository.path("Tests/Tools/drive_page.py").path
    let words = steps.map { "'\($0.replacing("'", with: #"'\''"#))'" }
    let run = try program.sh("python3 '\(tool)' \(page) \(words.joined(separator: " "))")
    #expect(run.status == 0, "\(run.errors)", sourceLocation: sourceLocation)
    return run.output.split(separator: "\n").map(String.init)
  }
}
