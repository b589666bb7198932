import Peernote
import PeernoteTestSupport
import Testing

@Suite("Keys of maps")
struct MapKeyTests {
  private static let names = (0..<40).map { number in
    ["k", "key", "\u{E9}", "e\u{301}", ""][number % 5] + String(number)
  }

  /// Maps of three sizes, of which the smallest is looked at key by key and the others are not.
  private static let sizes = ["small": 4, "middle": 9, "large": 40]

  @Test("keys of small and of large maps are found, in any order of writes", arguments: 1...8)
  func anyOrder(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var document = Document(id: UniqueID(high: 1, low: seed))
    var wanted: [String: [String: Int64]] = [:]
    try document.change(by: .person(1)) { editor in
      for map in Self.sizes.keys.sorted() {
        try editor.putContainer(.map, at: [map])
        wanted[map] = [:]
      }
    }
    for step in 0..<30 {
      try document.change(by: .person(UInt64(step % 3 + 2))) { editor in
        for _ in 0..<8 {
          guard let (map, size) = Self.sizes.randomElement(using: &random) else { return }
          let key = Self.names[Int.random(in: 0..<size, using: &random)]
          if Bool.random(using: &random) || wanted[map]?[key] == nil {
            let value = Int64.random(in: 0..<100, using: &random)
            try editor.put(.integer(value), at: [map, key])
            wanted[map]?[key] = value
          } else {
            try editor.remove(at: [map, key])
            wanted[map]?[key] = nil
          }
        }
      }
      try check(document, wanted)
      let read = try Document(bytes: document.bytes())
      #expect(read.bytes() == document.bytes())
      try check(read, wanted)
      if step % 7 == 0 { document = read }
    }
  }

  private func check(_ document: Document, _ wanted: [String: [String: Int64]]) throws {
    for (map, values) in wanted {
      let entries = values.map {
        DocumentNode.MapEntry(key: $0.key, node: .value(.integer($0.value)))
      }
      #expect(
        document.node(at: [map])
          == .map(entries.sorted(by: DocumentNode.MapEntry.precedes)))
      for (key, value) in values {
        #expect(document.node(at: [map, key]) == .value(.integer(value)))
      }
    }
    try Objects(of: document.log).checkInvariants()
  }

  @Test("the keys of many small maps take few bytes each")
  func memory() throws {
    let count = 5_000
    let record = DocumentNode.map((0..<5).map { .init(key: "k\($0)", node: .value(.integer(1))) })
    var document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: .person(1)) { editor in
      try editor.put(node: .list(Array(repeating: record, count: count)), at: ["list"])
    }
    // A write and a key of 28 bytes together; of a map its place, as a list's element.
    #expect(try Objects(of: document.log).byteCount < count * (5 * 28 + 48))
  }
}
