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
      try editor.insert(.value(.integer(0)), at: element)
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

  @Test("is one edit: nothing is reported or listed")
  func equal() throws {
    var copies = try copies(setting: [.integer(6), .integer(6)])
    let report = try copies[0].merge(copies[1])
    #expect(report.result == .merged)
    #expect(report.conflicts.isEmpty)
    #expect(copies[0].conflicts.isEmpty)
    #expect(copies[0].node(at: key) == .value(.integer(6)))
  }

  @Test("is listed once beside another one, whichever is shown")
  func beside() throws {
    for values in [[6, 6, 7], [7, 6, 6]] as [[Int64]] {
      let copies = try copies(setting: values.map { .integer($0) })
      var merged = copies[0]
      for copy in copies.dropFirst() { _ = try merged.merge(copy) }
      let found = merged.conflicts
      #expect(found.map(\.path) == [key, element])
      for conflict in found {
        #expect(conflict.kind == .register)
        #expect(conflict.kept.node == .value(.integer(values[2])))
        #expect(conflict.others.map(\.node) == [.value(.integer(values[0]))])
      }
    }
  }

  @Test("a number and a text that look alike are different values")
  func alike() throws {
    var copies = try copies(setting: [.integer(6), .string("6")])
    #expect(try copies[0].merge(copies[1]).conflicts.count == 2)
  }
}
