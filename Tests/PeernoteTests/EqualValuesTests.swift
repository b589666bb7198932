import Peernote
import PeernoteTestSupport
import Testing

@Suite("One value that several set")
struct EqualValuesTests {
  private let key = JSONPointer(["n"])
  private let element = JSONPointer(["list", "0"])

  /// Copies of a document in which each sets a value under a key and in a list.
  private func copies(setting values: [Value]) throws -> [Document] {
    var document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: .person(1)) { editor in
      try editor.put(.integer(0), at: key)
      try editor.putContainer(.list, at: ["list"])
      try editor.insert(node: .value(.integer(0)), at: element)
    }
    return try values.enumerated().map { index, value in
      var copy = document
      try copy.change(by: .person(UInt64(index + 2))) { editor in
        try editor.put(value, at: key)
        try editor.put(value, at: element)
      }
      return copy
    }
  }

  @Test(
    "is one edit, and listed once beside another one, whichever is shown",
    arguments: [
      ([6, 6], nil), ([6, 6, 7], 6), ([7, 6, 6], 7),
      // A number and a text that look alike are different values.
      ([6, .string("6")], 6),
    ] as [([Value], Value?)])
  func listed(values: [Value], other: Value?) throws {
    let copies = try copies(setting: values)
    var merged = copies[0]
    var report: MergeReport?
    for copy in copies.dropFirst() { report = try merged.merge(copy) }
    let found = merged.conflicts
    #expect(report?.result == .merged)
    if copies.count == 2 { #expect(report?.conflicts.count == found.count) }
    #expect(merged.node(at: key) == .value(values[values.count - 1]))
    #expect(found.map(\.path) == (other == nil ? [] : [key, element]))
    for conflict in found {
      #expect(conflict.kind == .register)
      #expect(conflict.kept.node == .value(values[values.count - 1]))
      #expect(conflict.others.map(\.node) == [other.map { .value($0) }])
    }
  }
}
