import Peernote
import PeernoteTestSupport

/// Small documents to be damaged.
enum Samples {
  static let id = UniqueID(high: 0x0102_0304_0506_4708, low: 0x890A_0B0C_0D0E_0F10)

  static func path(_ text: String) -> JSONPointer { JSONPointer(text) ?? JSONPointer() }

  /// One change: a text of three letters.
  ///
  /// Its parts are spelled out in ``RuleTests``.
  static let letters: Document = {
    var document = Document(id: id)
    document.change(by: .person(1, "ann", at: 1000)) { editor in
      try? editor.putContainer(.text, at: path("/body"))
      try? editor.spliceText(at: path("/body"), scalars: 0..<0, with: "abc")
    }
    return document
  }()

  /// All kinds of containers, values and operations, made by two people, partly apart.
  static let everything: Document = {
    var document = base
    var other = base
    edit(&document, by: .person(2, "bob", at: 5000))
    edit(&other, by: .person(9, "zoë", at: 6000))
    _ = try? document.merge(other)
    document.change(by: .person(2, "bob", at: 9000), message: "after the merge") { editor in
      try? editor.spliceText(at: path("/body"), scalars: 0..<2, with: "")
      try? editor.spliceText(at: path("/body"), scalars: 0..<1, with: "")
    }
    return document
  }()

  /// What both sides of ``everything`` start from.
  static let base: Document = {
    var document = Document(id: id)
    document.change(by: .person(1, "ann", at: 1000), message: "start") { editor in
      try? editor.putContainer(.text, at: path("/body"))
      try? editor.spliceText(at: path("/body"), scalars: 0..<0, with: "Grüße an alle 🧑‍🌾.")
      try? editor.putContainer(.set, at: path("/tags"))
      try? editor.add(.string("x"), toSetAt: path("/tags"))
      try? editor.add(.integer(-7), toSetAt: path("/tags"))
      try? editor.putContainer(.counter, at: path("/count"))
      try? editor.increment(by: 41, at: path("/count"))
      try? editor.putContainer(.map, at: path("/map"))
      try? editor.put(.double(0.5), at: path("/map/half"))
      try? editor.put(.bool(true), at: path("/map/yes"))
      try? editor.put(.null, at: path("/map/nothing"))
      try? editor.putContainer(.text, at: path("/map/draft"))
      try? editor.spliceText(at: path("/map/draft"), scalars: 0..<0, with: "draft")
      try? editor.putContainer(.list, at: path("/list"))
      try? editor.insert(
        nodes: [.value(.integer(1)), .value(.string("two")), .map([]), .text("")],
        at: path("/list/0"))
      try? editor.put(.string("nested"), at: path("/list/2/key"))
      try? editor.put(.timestamp(Timestamp(milliseconds: -1_500)), at: path("/when"))
      try? editor.put(.uuid(UniqueID(high: 1, low: 2)), at: path("/uuid"))
      try? editor.put(.bytes(Array(repeating: 7, count: 257)), at: path("/large"))
      try? editor.put(.bytes([1, 2, 3]), at: path("/small"))
    }
    return document
  }()

  private static func edit(_ document: inout Document, by session: DocumentSession) {
    document.change(by: session) { editor in
      try? editor.spliceText(at: path("/body"), scalars: 3..<5, with: session.author)
      try? editor.spliceText(at: path("/body"), scalars: 0..<1, with: "")
      try? editor.add(.string(session.author), toSetAt: path("/tags"))
      try? editor.discard(.string("x"), fromSetAt: path("/tags"))
      try? editor.increment(by: -2, at: path("/count"))
      try? editor.put(.string(session.author), at: path("/map/half"))
      try? editor.remove(at: path("/map/yes"))
      try? editor.remove(at: path("/map/draft"))
      try? editor.move(from: path("/list/0"), to: path("/list/2"))
      try? editor.insert(node: .value(.string(session.author)), at: path("/list/1"))
      try? editor.put(.integer(3), at: path("/list/0"))
      try? editor.remove(at: path("/list/2"))
    }
  }

  /// A document with its name.
  struct Sample: Sendable, CustomStringConvertible {
    var name: String
    var document: Document
    var description: String { name }
  }

  /// All of them.
  static let all = [
    Sample(name: "nothing", document: Document(id: id)),
    Sample(name: "letters", document: letters), Sample(name: "base", document: base),
    Sample(name: "everything", document: everything),
  ]
}
