import Foundation
import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// Copies that are sound by themselves and do harm to others, and the ways out; more of those stand in
/// `Fixtures/outputs/without.txt`.
@Suite("Forged copies")
struct ForgedCopyTests {
  private let host = MemoryHost()

  init() {
    host.setText("draft", "pay 100 to ann\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft", "--author", "me")
    host.copy("a", "base")
    host.copy("a", "b")
    host.pnmerge("edit", "a", "--title", "Desk", "--author", "desk", "--agent", "d")
    host.pnmerge("edit", "b", "--tag", "phone", "--author", "phone", "--agent", "e")
  }

  /// Has a copy show another sum.
  private func retell(_ name: String) throws {
    let document = try Document(bytes: try #require(host[name]))
    let retold = try document.retelling(JSONPointer(["body"])) {
      $0.replacing("100", with: "900")
    }
    host[name] = try #require(retold).bytes()
  }

  @Test("a copy that shows other text is refused by its name, whatever brings it in")
  func otherText() throws {
    try retell("b")
    #expect(host.pnmerge("validate", "b").status == .done)
    for (into, from) in [("a", "b"), ("b", "a")] {
      let before = (host["a"], host["b"])
      let run = host.pnmerge("merge", into, from)
      #expect(run.status == .damaged)
      #expect(run.errors.hasPrefix("pnmerge: \(from): view: the same changes lead to other text"))
      #expect(run.errors.contains("(\(into) is the other)") && run.errors.contains("nothing was"))
      let repair = host.pnmerge("repair", into, from, "-o", "r")
      #expect(repair.status == .damaged)
      #expect(repair.errors.contains("contradicts") && repair.errors.contains("without the wrong"))
      #expect(host["r"] == nil)
      let driver = host.pnmerge("git", "driver", "--", "base", into, from, "7", "n.peernote")
      #expect(driver.status == .different)
      #expect(driver.errors.contains("lead to other text in two copies"), "\(driver.errors)")
      #expect(host["a"] == before.0 && host["b"] == before.1)
    }
  }

  @Test("a file that lies about its contested passages is not edited, or the edit can be merged")
  func lyingSection() throws {
    let sound = try Array(
      Data(contentsOf: Repository.path("Fixtures/documents/v1/passages.peernote")))
    let file = try ForgedFile(sound)
    let section = try #require(file.sections.indices.first)
    let content = try CBORTree(file.sections[section].content)
    host["sound"] = sound
    #expect(host.pnmerge("set", "sound", "/own", "1").status == .done)
    var refused = 0
    for lie in content.variants {
      var forged = file
      forged.sections[section].content = lie.encoded
      guard forged.bytes != sound, (try? Document(bytes: forged.bytes)) != nil else { continue }
      for words in [
        ["set", "lie", "/own", "1"], ["edit", "lie", "--title", "Own"],
        ["resolve", "lie", "--all", "--take", "mine"],
      ] {
        host["lie"] = forged.bytes
        let run = host.pnmerge(words)
        guard run.status != .done else {
          host["whole"] = sound
          #expect(host.pnmerge("merge", "whole", "lie").status == .done, "\(words) \(lie)")
          continue
        }
        #expect(host["lie"] == forged.bytes, "\(words) \(lie)")
        if words[0] == "set" {
          refused += 1
          #expect(run.status == .damaged && run.errors.contains("repair lie"), "\(run.errors)")
        }
      }
    }
    #expect(refused > 10)
    // Without the section it shows what nobody settled on.
    var dropped = file
    dropped.sections.remove(at: section)
    host["lie"] = dropped.bytes
    let run = host.pnmerge("set", "lie", "/own", "1")
    #expect(run.status == .damaged && host["lie"] == dropped.bytes, "\(run)")
  }

  @Test("where two copies take too much together, the one that takes more is named")
  func dearCopy() throws {
    let kind = try #require(HostileFile.all.first { $0.name == "two agents that always cross" })
    let dear = try kind.document(size: 20_000)
    let plain = try Document(bytes: try #require(host["a"]))
    #expect(dear.effort > plain.effort && dear.effort < 1)
    let many = try #require(HostileFile.all.first { $0.name == "empty maps" })
    let limit = try #require(throws: DocumentError.self) { try many.document(size: 4_000_000) }
    #expect(limit.kind == .limit)
    let error = MergeError.damaged(limit)
    for (from, document, into, base) in [
      ("dear", dear, "plain", plain), ("plain", plain, "dear", dear),
    ] {
      let failure = error.failure(
        FileName(from), document, comparedWith: FileName(into), base)
      #expect(failure.file == FileName("dear"))
      #expect(failure.message.contains("takes more of it than plain"))
    }
  }

  @Test("a file of more changes than its bytes hold is refused, and there is a way out of it")
  func claims() throws {
    let good = try #require(host["b"])
    let document = try Document(bytes: good)
    let parent = try #require(document.heads.first)
    let agent = AgentID(rawValue: 0xBAD)
    let body = try #require(document.log.containers.firstIndex { $0.kind == .text })
    let container = document.log.containerID(ContainerIndex(body))
    // Typed one by one in one moment, deleted and redacted.
    let count = 70_000
    let typed = (0..<count).map { number in
      Change(
        id: ChangeID(agent: agent, sequence: number + 1),
        parents: [number == 0 ? parent : ChangeID(agent: agent, sequence: number)],
        time: Timestamp(milliseconds: 0),
        edits: [.insertText(into: container, at: number, text: "x")])
    }
    let deletion = Change(
      id: ChangeID(agent: agent, sequence: count + 1),
      parents: [ChangeID(agent: agent, sequence: count)], time: Timestamp(milliseconds: 0),
      edits: [
        .deleteText(from: container, at: 0, count: count, backward: false, text: nil)
      ])
    var changes = Array(try document.exportedChanges)
    changes += typed + [deletion]
    let log = try Log.make(from: changes).log
    let file = DocumentFile(
      id: document.id, objects: try Objects(of: log),
      texts: try DocumentFile(good).texts)
    host["bad"] = file.bytes()
    #expect(try #require(host["bad"]).count < 2 * good.count)
    for words in [["log", "bad"], ["merge", "a", "bad"], ["merge", "bad", "a"]] {
      let run = host.pnmerge(words)
      #expect(run.status == .damaged)
      #expect(run.errors.contains("bad: ") && run.errors.contains("more changes than the limit"))
    }
    #expect(host.pnmerge("repair", "bad", "b", "-o", "r").status == .different)
    #expect(host["r"] == good)
    #expect(host.pnmerge("merge", "--without", "bad", "bad").status == .done)
    #expect(host["bad"] == good)
  }
}

extension CBORTree {
  /// The item with one of those in it changed, in each place and in some ways.
  fileprivate var variants: [CBORTree] {
    var result: [CBORTree] =
      switch self {
      case .unsigned(let number): [.unsigned(number &+ 1), .unsigned(0)]
      case .text(let utf8): [.text(utf8.reversed()), .text(utf8 + utf8)]
      case .array(let items) where !items.isEmpty: [.array(Array(items.dropLast()))]
      default: []
      }
    for place in items.indices {
      for variant in items[place].variants {
        var copy = self
        copy.items[place] = variant
        result.append(copy)
      }
    }
    return result.filter { $0 != self }
  }
}
