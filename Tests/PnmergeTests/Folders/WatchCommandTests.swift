import Foundation
import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Folders that are watched")
struct WatchCommandTests {
  @Test("one folder is tidied, several are brought together, whenever something changed")
  func changes() throws {
    let host = MemoryHost()
    for folder in ["a", "a/sub", "b"] { try host.makeDirectory(FileName(folder)) }
    var title: String?
    host.waits = [
      { [unowned host] in
        // Documents are made by the library: the program is running.
        host["a/sub/one.peernote"] = try? Self.document("One").bytes()
        return true
      },
      { [unowned host] in
        title = host["b/sub/one.peernote"].flatMap { try? Document(bytes: $0).root["title"] }
          .map { "\($0)" }
        return false
      },
    ]
    let run = host.pnmerge("watch", "a", "b")
    #expect(run.status == .interrupted)
    #expect(title?.contains("One") ?? false)
    #expect(run.output == "b/sub/one.peernote: new\n")
    #expect(host.watched == Set(["a", "a/sub", "b", "b/sub"].map { FileName("/work/\($0)") }))
    #expect(host.holdCount == 0)
  }

  @Test("what fails is said once, and tried again")
  func failures() throws {
    let host = MemoryHost()
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
    host["a/bad.peernote"] = [1, 2, 3]
    var healed: [UInt8]?
    host.waits = [
      { false }, { false },
      { [unowned host] in
        host["a/bad.peernote"] = try? Self.document("Good").bytes()
        return true
      },
      { [unowned host] in
        healed = host["b/bad.peernote"]
        return false
      },
    ]
    let run = host.pnmerge("watch", "a", "b")
    #expect(run.errors.components(separatedBy: "a/bad.peernote").count == 2, "\(run.errors)")
    #expect(healed != nil && healed == host["a/bad.peernote"])
  }

  @Test("a folder that is none is refused at once")
  func none() {
    #expect(MemoryHost().pnmerge("watch", "none").status == .unreadable)
  }

  @Test("the real program carries a change over, and ends by SIGTERM without a trace")
  func program() throws {
    let run = try Program().sh(
      """
      mkdir a b
      "$P" watch a b > said 2>&1 & watcher=$!
      # Until it watches.
      await() { for i in $(seq 300); do "$@" && return; sleep 0.1; done; echo "in vain: $*"; }
      await test -d home/.local/state/peernote/folders
      sleep 0.3
      pnmerge new -q a/one.peernote --title One
      await test -e b/one.peernote
      pnmerge set -q --string b/one.peernote /title Two
      # What it did is said after it is done: a signal in between would cut it off.
      await grep -q a/one.peernote said
      cmp a/one.peernote b/one.peernote
      pnmerge cat --raw a/one.peernote /title; echo
      kill -TERM $watcher; wait $watcher
      ls -A a b; cat said
      """)
    #expect(
      run.output == """
        Two
        a:
        one.peernote

        b:
        one.peernote
        b/one.peernote: new
        a/one.peernote: 1 change by me

        """, "\(run.errors)")
  }

  private static func document(_ title: String) throws -> Document {
    var document = Document(id: UniqueID(randomBits: 1, 2))
    let session = DocumentSession.person(7, "me", at: 1_795_000_000_000)
    try document.change(by: session) { try $0.create(Note(title: title)) }
    return document
  }
}
