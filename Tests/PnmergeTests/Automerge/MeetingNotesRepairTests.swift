import AutomergeFormat
import Foundation
import PnmergeCommands
import Testing

@Suite("Repairing MeetingNotes' files") struct MeetingNotesRepairTests {
  /// Title and text of each agenda item.
  private func items(_ file: String, _ host: MemoryHost) throws -> [[String]] {
    let content = try MeetingNotesFiles.content(file, host)
    return try #require(content["agendas"] as? [NSDictionary]).map {
      [$0["title"] as? String ?? "", $0["discussion"] as? String ?? ""]
    }
  }

  @Test("after a deletion by the app each item has its own text again, the last one too")
  func deletion() throws {
    let host = try MeetingNotesFiles.host(
      ("a", "c_diverged_app_delete/left"), ("sound", "c_diverged/left"))
    let run = host.pnmerge("repair", "a", "-o", "b")
    #expect(run.status == .done, "\(run)")
    #expect(run.output.contains("/agendas/1: \"AOB\" has its own text again"), "\(run.output)")
    #expect(run.output.contains("/agendas/2: \"Hiring\" has its own text again"))
    // The same edits, with a deletion as it should be.
    #expect(try items("b", host) == items("sound", host))
    #expect(host.pnmerge("validate", "b").status == .done)
    #expect(host.pnmerge("status", "a", "b").output == "b: ahead of a by 1 change\n")
    // Whoever repairs the same state makes the same change, and there is nothing left to repair.
    host.pnmerge("repair", "a", "-o", "c")
    #expect(host["b"] == host["c"])
    let again = host.pnmerge("repair", "b", "-o", "d")
    #expect(again.output.contains("no agenda item was mixed up"), "\(again.output)")
    #expect(host["d"] == host["b"])
  }

  @Test("an item that was deleted by one and changed by another is back after the repair")
  func concurrent() throws {
    let host = try MeetingNotesFiles.host(
      ("a", "c_diverged_app_delete/left"), ("b", "c_diverged_app_delete/right"))
    let run = host.pnmerge("repair", "a", "b", "-o", "c")
    #expect(run.status == .done, "\(run)")
    let items = try items("c", host)
    #expect(items.map { $0[0] } == ["Budget", "AOB", "Hiring", "Office move", "Launch — final"])
    #expect(items[1][1].hasPrefix("Any other business."))
    #expect(items[2][1] == "Two candidates.\n")
    #expect(items[3][1] == "Boxes arrive Friday 📦\n")
    #expect(items[4][1].hasPrefix("EDITED ON THE RIGHT. Launch checklist"))
    let other = try MeetingNotesFiles.host(
      ("a", "c_diverged_app_delete/right"), ("b", "c_diverged_app_delete/left"))
    other.pnmerge("repair", "a", "b", "-o", "c")
    #expect(other["c"] == host["c"])
  }

  @Test("sound files stay as they are, and damaged copies are left out by name")
  func others() throws {
    let host = try MeetingNotesFiles.host(
      ("a", "c_diverged/left"), ("bad", "e_damaged/06_bit_flip"), ("b", "c_diverged/right"))
    let run = host.pnmerge("repair", "a", "bad", "b", "-o", "c")
    #expect(run.status == .different)
    #expect(run.errors.contains("bad: byte 72: the checksum does not fit; left out"))
    host.pnmerge("merge", "-o", "d", "a", "b")
    #expect(host["c"] == host["d"])
    #expect(host.pnmerge("repair", "bad", "-o", "e").status == .damaged)
    #expect(host["e"] == nil)
    #expect(host.pnmerge("repair", "a", "-o", "c").status == .cannotCreate)
  }
}
