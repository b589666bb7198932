import Peernote
import PeernoteFuzzing
import Testing

/// Views that say something else than the log.
@Suite struct ViewTests {
  private static let base = try? ForgedFile(Samples.base.bytes())

  /// A change to the root of ``Samples/base``'s view.
  struct Lie: Sendable, CustomStringConvertible {
    var name: String
    var change: @Sendable (inout CBORTree) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout CBORTree) -> Void) {
      self.name = name
      self.change = change
    }

    var description: String { name }
  }

  private static let structural: [Lie] = [
    Lie("a key is missing") { $0["count"] = nil },
    Lie("a key is too many") { $0["zzzzzz"] = .null },
    Lie("a key reads otherwise") { root in
      root.items = root.items.map { $0 == .string("uuid") ? .string("uuie") : $0 }
    },
    Lie("keys are out of order") { root in
      root.items = Array(root.items[2...3] + root.items[0...1] + root.items[4...])
    },
    Lie("a value is another one") {
      $0["uuid"] = .tag(37, .bytes([UInt8](repeating: 9, count: 16)))
    },
    Lie("a value is of another type") { $0["small"] = .text([1, 2, 3]) },
    Lie("a time is another one") { $0["when"] = .tag(1001, .map([.unsigned(1), .unsigned(0)])) },
    Lie("bytes by reference stand there in full") {
      $0["large"] = .bytes([UInt8](repeating: 7, count: 257))
    },
    Lie("bytes stand there by reference") { $0["small"] = .tag(61538, .unsigned(0)) },
    Lie("a reference leads elsewhere") { $0["large"] = .tag(61538, .unsigned(0)) },
    Lie("a reference leads nowhere") { $0["large"] = .tag(61538, .unsigned(.max)) },
    Lie("a counter is another one") { $0["count"] = .tag(61539, .unsigned(42)) },
    Lie("a counter is negative") { $0["count"] = .tag(61539, .negative(40)) },
    Lie("a set has a member too many") { $0["tags"]?.items[0].items.append(.string("zzz")) },
    Lie("a set has a member too few") { $0["tags"]?.items[0].items.removeLast() },
    Lie("a set has another member") { root in
      let last = (root["tags"]?.items[0].items.count ?? 0) - 1
      root["tags"]?.items[0].items[last] = .string("zzz")
    },
    Lie("a set's members are out of order") { $0["tags"]?.items[0].items.swapAt(0, 1) },
    Lie("a list has an element too many") { $0["list"]?.items.append(.null) },
    Lie("a list has an element too few") { $0["list"]?.items.removeLast() },
    Lie("a list's elements are out of order") { $0["list"]?.items.swapAt(0, 1) },
    Lie("a map inside is empty") { $0["map"] = .map([]) },
    Lie("a text is a string") { $0["body"] = .string("Grüße an alle 🧑‍🌾.") },
    Lie("a text is another kind of container") { $0["body"] = .array([]) },
    Lie("a text is not UTF-8") { $0["body"] = .tag(61556, .text([0xC0, 0x80])) },
    Lie("the root is a list") { $0 = .array([]) },
    Lie("the root is nothing") { $0 = .null },
  ]

  private static let textual: [Lie] = [
    Lie("a text is shorter") { $0["body"] = RuleTests.text("Grüße") },
    Lie("a text is longer") { $0["body"] = RuleTests.text("Grüße an alle 🧑‍🌾. Und mehr") },
    Lie("a text inside is empty") { $0["map"]?["draft"] = RuleTests.text("") },
    Lie("a text that never held anything does") { root in
      root["list"]?.items[3] = RuleTests.text("x")
    },
  ]

  @Test("opening finds that the view does not have the log's structure:", arguments: structural)
  func structure(lie: Lie) throws {
    var file = try #require(Self.base)
    lie.change(&file.view.items[0])
    let error = refusal(of: file.bytes)
    #expect(error?.kind == .damaged)
    #expect(error?.section == .view || error?.section == .envelope, "\(String(describing: error))")
    #expect(error?.offset.map { file.bytes.indices.contains($0) } ?? false)
  }

  @Test("only validation finds that a text is not as long as the log says:", arguments: textual)
  func lengths(lie: Lie) throws {
    var file = try #require(Self.base)
    lie.change(&file.view.items[0])
    #expect(refusal(of: file.bytes) == nil)
    #expect(Document.validate(bytes: file.bytes, quick: true) == [])
    let findings = Document.validate(bytes: file.bytes)
    #expect(findings.map(\.section) == ["view"], "\(findings)")
    #expect(findings.first?.change != nil)
  }

  @Test("opening finds texts of removed containers that are too many, too few or misplaced")
  func removedTexts() throws {
    let sound = try ForgedFile(Samples.everything.bytes())
    #expect(sound.view.items[1].items == [.string("draft")])
    for texts in [[], [.string("draft"), .string("")], [.unsigned(0)], [.null]] as [[CBORTree]] {
      var file = sound
      file.view.items[1].items = texts
      #expect(refusal(of: file.bytes)?.section == .view)
    }
    var file = sound
    file.view.items.append(.array([]))
    #expect(refusal(of: file.bytes)?.section == .view)
    file = sound
    file.view.items[1].items = [.string("drafty")]
    #expect(refusal(of: file.bytes) == nil)
    #expect(Document.validate(bytes: file.bytes).map(\.section) == ["view"])
  }

  @Test("reading the view alone refuses what is no view")
  func readerAlone() throws {
    let lies: [CBORTree] = [
      .null, .array([]), .array([.map([])]), .array([.array([]), .array([])]),
      .array([.map([.unsigned(1), .null]), .array([])]),
      .array([.map([.string("a"), .tag(61556, .unsigned(1))]), .array([])]),
      .array([.map([.string("a"), .tag(258, .map([]))]), .array([])]),
      .array([.map([.string("a"), .tag(61538, .unsigned(9))]), .array([])]),
      .array([.map([.string("a"), .tag(61538, .unsigned(.max))]), .array([])]),
      .array([.map([.string("b"), .null, .string("a"), .null]), .array([])]),
      .array([.map([.string("a"), .null, .string("a"), .null]), .array([])]),
      .array([.map([.string("a"), .tag(999, .null)]), .array([])]),
    ]
    for lie in lies {
      var file = try #require(Self.base)
      file.view = lie
      #expect((try? DocumentReader(bytes: file.bytes)) == nil, "\(lie)")
    }
  }
}
