import Peernote
import PnmergeCommands
import Testing

/// The merge driver on files, without git: what it does to them whatever happens.
@Suite("The merge driver")
struct MergeDriverTests {
  private let host = MemoryHost()
  private let old: [UInt8]
  private let new: [UInt8]

  /// A note that two people gave another title.
  init() throws {
    host.pnmerge("new", "base", "--title", "T")
    host.copy("base", "ours")
    host.copy("base", "theirs")
    host.pnmerge("edit", "ours", "--title", "U", "--no-backup", "-q")
    host.pnmerge("edit", "theirs", "--title", "V", "--no-backup", "-q")
    old = try #require(host["ours"])
    host.copy("ours", "merged")
    host.pnmerge("merge", "-q", "--no-backup", "merged", "theirs")
    new = try #require(host["merged"])
    host["merged"] = nil
    host.entries[FileName("/work/ours")]?.mode = 0o600
  }

  private func merge(markers: Int = 7) -> MemoryHost.Run {
    host.pnmerge("git", "driver", "--", "base", "ours", "theirs", "\(markers)", "n.peernote")
  }

  @Test("the result takes the current version's place, with its permissions, while signals wait")
  func merges() {
    var held: [Int] = []
    host.witness = { [host] call in if call == .rename { held.append(host.holdCount) } }
    let run = merge()
    #expect(run.status == .done && run.output == "")
    #expect(run.errors.hasPrefix("pnmerge: n.peernote: merged; 1 conflict (value): /title"))
    #expect(host["ours"] == new && host.names == ["base", "ours", "theirs"])
    #expect(host.entries[FileName("/work/ours")]?.mode == 0o600)
    #expect(held == [1] && host.holdCount == 0)
  }

  @Test("what merges ancestors of its own says nothing of them")
  func innerMerge() {
    #expect(merge(markers: 9).errors == "")
    #expect(host["ours"] == new)
  }

  @Test("a current version that has everything is not written")
  func nothingNew() {
    host["ours"] = new
    host["base"] = host["theirs"]
    let entry = host.entries[FileName("/work/ours")]
    let calls = host.calls.count
    #expect(merge().status == .done)
    #expect(host.entries[FileName("/work/ours")] === entry)
    #expect(!host.calls[calls...].contains(.create))
  }

  @Test("with PNMERGE=0 nothing is merged, and git is told so")
  func switchedOff() {
    host.variables["PNMERGE"] = "0"
    #expect(merge().status == .different)
    #expect(host["ours"] == old)
  }

  /// The calls of a merge that nothing disturbs.
  private static func calls() throws -> Range<Int> {
    let trial = try MergeDriverTests()
    return trial.host.calls { _ = trial.merge() }
  }

  @Test("whichever call fails, git is told the truth, and nothing is left beside the files")
  func everyFailure() throws {
    let calls = try Self.calls()
    #expect(calls.count > 6)
    for call in calls {
      let tests = try MergeDriverTests()
      tests.host.failure = (call, HostError(.other, "fault"))
      let run = tests.merge()
      #expect(tests.host["ours"] == (run.status == .done ? tests.new : tests.old), "\(call)")
      #expect(run.status == .done || run.status == .different, "\(call)")
      #expect(tests.host.names == ["base", "ours", "theirs"], "\(call)")
      #expect(tests.host.holdCount == 0, "\(call)")
    }
  }

  @Test("killed at whichever call, the current version is whole")
  func everyDeath() throws {
    let calls = try Self.calls()
    for call in calls.lowerBound...calls.upperBound {
      let tests = try MergeDriverTests()
      tests.host.kill(at: call) { _ = tests.merge() }
      #expect([tests.old, tests.new].contains(tests.host["ours"]), "\(call)")
    }
  }
}
