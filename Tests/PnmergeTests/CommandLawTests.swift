import Peernote
import PeernoteJSON
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Laws of merging, through the commands")
struct CommandLawTests {
  /// A place of a document that commands can work on.
  private struct Place {
    var path: JSONPointer
    var node: DocumentNode
    /// The length of the list it stands in; `nil` if it stands in none.
    var listCount: Int?
  }

  private func places(in root: DocumentNode) -> [Place] {
    var result: [Place] = []
    func walk(_ node: DocumentNode, _ path: JSONPointer, _ listCount: Int?) {
      result.append(Place(path: path, node: node, listCount: listCount))
      switch node {
      case .map(let entries):
        for entry in entries { walk(entry.node, path.appending(entry.key), nil) }
      case .list(let elements):
        for (index, element) in elements.enumerated() {
          walk(element, path.appending(String(index)), elements.count)
        }
      case .value, .text, .set, .counter: break
      }
    }
    walk(root, JSONPointer(), nil)
    return result
  }

  private func exact(_ node: DocumentNode) -> String {
    String(decoding: node.exactJSON.bytes(), as: UTF8.self)
  }

  /// Runs a random command that fits the document.
  private func edit(
    _ file: String, of host: MemoryHost, using generator: inout SplitMix64
  ) throws -> MemoryHost.Run {
    let document = try Document(bytes: host[file] ?? [])
    if generator.chance(25) { return editWhole(file, document, of: host, using: &generator) }
    let places = places(in: document.root)
    let place = generator.pick(places)
    let path = place.path.description
    let new = exact(RandomNodes.node(depth: 1, using: &generator))
    if let count = place.listCount, generator.chance(60) {
      switch generator.below(3) {
      case 0: return host.pnmerge("remove", file, path)
      case 1: return host.pnmerge("insert", file, path, "--", new)
      default:
        let target = place.path.parent.appending(String(generator.below(count)))
        return host.pnmerge("move", file, path, target.description)
      }
    }
    switch place.node {
    case .counter:
      return host.pnmerge("increment", file, path, "--by", "\(generator.within(-9...9))")
    case .set(let members):
      if let member = members.first, generator.chance(50) {
        return host.pnmerge(
          "remove", file, path, "--type", "json", "--member", exact(.value(member)))
      }
      let member = exact(.value(RandomNotes.value(using: &generator)))
      return host.pnmerge("insert", file, path + "/-", "--", member)
    case .text:
      return host.pnmerge("set", file, path, "--text", "--", RandomNotes.text(using: &generator))
    case .list: return host.pnmerge("insert", file, path + "/-", "--", new)
    case .map(let entries):
      if !path.isEmpty, let entry = entries.first, generator.chance(30) {
        return host.pnmerge("remove", file, place.path.appending(entry.key).description)
      }
      return host.pnmerge("set", file, path + "/\(generator.pick(["a", "b", "id"]))", "--", new)
    case .value:
      if path.isEmpty { return host.pnmerge("cat", file, "") }
      return host.pnmerge("set", file, path, "--", new)
    }
  }

  /// Runs a random command on a whole document.
  private func editWhole(
    _ file: String, _ document: Document, of host: MemoryHost, using generator: inout SplitMix64
  ) -> MemoryHost.Run {
    switch generator.below(4) {
    case 0:
      let change = generator.pick(document.changes).id.description
      return host.pnmerge("restore", file, "--at", change)
    case 1:
      // The one deepest inside, as what stays cannot be settled before what is inside.
      guard let conflict = document.conflicts.last else { break }
      let side = generator.pick(conflict.others).change
      let isOnly = ([conflict.kept] + conflict.others).count { $0.change == side } == 1
      return host.pnmerge(
        "resolve", file, conflict.path.description, "--take",
        isOnly && generator.chance(50) ? side.description : "kept")
    case 2:
      let places = places(in: document.root).filter { !$0.path.tokens.isEmpty }
      let isTaken = document.node(at: JSONPointer(["moved"])) != nil
      guard !places.isEmpty, !isTaken else { break }
      return host.pnmerge("move", file, generator.pick(places).path.description, "/moved")
    default: break
    }
    host["new.json"] = Array(exact(rearranged(document.root, using: &generator)).utf8)
    return host.pnmerge("edit", file, "--json-file", "new.json")
  }

  /// Content as somebody might leave it in an editor: elements moved, taken out and put in.
  private func rearranged(_ node: DocumentNode, using generator: inout SplitMix64) -> DocumentNode {
    switch node {
    case .map(let entries):
      return .map(
        entries.map { .init(key: $0.key, node: rearranged($0.node, using: &generator)) })
    case .list(var elements):
      if generator.chance(30), !elements.isEmpty { elements.removeLast() }
      if generator.chance(30) {
        elements.insert(
          RandomNodes.node(depth: 1, using: &generator), at: generator.below(elements.count + 1))
      }
      if elements.count > 1, generator.chance(60) {
        let element = elements.remove(at: generator.below(elements.count))
        elements.insert(element, at: generator.below(elements.count + 1))
      }
      return .list(elements.map { rearranged($0, using: &generator) })
    case .text(let text):
      return .text(generator.chance(50) ? text + RandomNotes.text(using: &generator) : text)
    case .set(let members): return .set(members: Set(members.dropFirst()))
    case .counter(let count): return .counter(count &+ Int64(generator.within(-2...2)))
    case .value: return node
    }
  }

  @Test(
    "copies edited at random by all commands converge to the same sound bytes in any order",
    arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func convergence(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let host = MemoryHost()
    host["i.json"] = DocumentNode.map([
      .init(key: "c", node: .counter(1)),
      .init(
        key: "l",
        node: .list([
          .map([.init(key: "id", node: .value(.integer(1)))]), .text("one two"),
          .value(.string("x")),
        ])),
      .init(key: "s", node: .set(members: [.integer(1)])), .init(key: "t", node: .text("abc def")),
      .init(key: "x", node: RandomNodes.node(depth: 2, using: &generator)),
    ]).exactJSON.bytes()
    #expect(host.pnmerge("import", "i.json", "-o", "a").status == .done)
    for copy in ["b", "c"] { host.copy("a", copy) }
    for _ in 0..<2 {
      for file in ["a", "b", "c"] {
        for _ in 0..<4 {
          let run = try edit(file, of: host, using: &generator)
          #expect(run.status == .done, "seed \(seed): \(run.errors)")
        }
      }
      for (output, order) in [("ab-c", ["a", "b", "c"]), ("c-ba", ["c", "b", "a"])] {
        #expect(
          host.pnmerge(["merge", "-o", output] + order).status == .done)
      }
      host.pnmerge("merge", "-o", "bc", "b", "c")
      host.pnmerge("merge", "-o", "a-bc", "a", "bc")
      #expect(host["ab-c"] == host["c-ba"], "seed \(seed)")
      #expect(host["ab-c"] == host["a-bc"], "seed \(seed)")
      #expect(host.pnmerge("merge", "ab-c", "a", "bc").output.contains("already has everything"))
      #expect(host.pnmerge("validate", "-q", "ab-c").output == "", "seed \(seed)")
      // The next round begins with one copy that has everything and two that don't.
      host["a"] = host["ab-c"]
      for name in ["ab-c", "c-ba", "bc", "a-bc"] { host[name] = nil }
    }
  }
}
