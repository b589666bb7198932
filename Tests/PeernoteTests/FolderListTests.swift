import Peernote
import PeernoteTestSupport
import Testing

/// The documents of an app's folder, in a list that is kept up to date.
@Suite struct FolderListTests {
  /// Files in memory.
  private struct Files {
    var bytes: [RelativePath: [UInt8]] = [:]
    var times: [RelativePath: Int64] = [:]

    var listing: [RelativePath: FileStamp] {
      var listing: [RelativePath: FileStamp] = [:]
      for (path, content) in bytes {
        let time = times[path] ?? 0
        listing[path] = FileStamp(
          size: Int64(content.count), modified: time, changed: time, number: 0)
      }
      return listing
    }

    mutating func write(_ document: Document, _ path: RelativePath, at time: Int64) {
      bytes[path] = document.bytes()
      times[path] = time * 1_000_000_001
    }

    func read(_ path: RelativePath) throws -> DocumentSummary {
      try DocumentSummary(bytes: #require(bytes[path]))
    }
  }

  private func note(_ number: UInt64, _ title: String) throws -> Document {
    var document = Document(id: exampleID(number))
    try document.change(by: session("desk")) { try $0.create(Note(title: title, tags: ["a"])) }
    return document
  }

  @Test("a folder is listed, and only what is new or changed is opened")
  func listing() throws {
    let now = Timestamp(milliseconds: 1_795_000_100_000)
    var files = Files()
    files.write(try note(1, "Budget"), RelativePath("work/budget.peernote"), at: 1)

    var folder = DocumentFolder()
    let update = folder.update(to: files.listing, at: now) { path in
      try files.read(path)
    }
    let path = RelativePath("work/budget.peernote")
    #expect(folder[path]?.title == "Budget" && folder.paths == [path])
    #expect(update.openedCount == 1 && update.faults.isEmpty)
    #expect(folder.paths(of: exampleID(1)) == [path])
    // Kept between two runs of the app.
    var again = try #require(DocumentFolder(encoded: folder.bytes()))
    #expect(again.update(to: files.listing, at: now) { try files.read($0) }.openedCount == 0)
    #expect(again[path] == folder[path])
  }

  @Test("files come, go, change and are renamed")
  func changes() throws {
    let now = Timestamp(milliseconds: 1_795_000_100_000)
    let (old, new) = (RelativePath("old.peernote"), RelativePath("sub/new.peernote"))
    var files = Files()
    var budget = try note(1, "Budget")
    files.write(budget, old, at: 1)
    var folder = DocumentFolder()
    _ = folder.update(to: files.listing, at: now) { try files.read($0) }
    #expect(folder.place(of: exampleID(1)) == .init(path: old, since: nil))

    files.write(budget, new, at: 1)
    files.bytes[old] = nil
    var update = folder.update(to: files.listing, at: now) { try files.read($0) }
    #expect(folder.paths == [new] && update.openedCount == 1)
    #expect(folder.place(of: exampleID(1)) == .init(path: new, since: now))

    try budget.change(by: session("phone")) {
      try $0.replaceText(at: ["body"], with: "12")
    }
    files.write(budget, new, at: 2)
    files.bytes[old] = Array("no document".utf8)
    update = folder.update(to: files.listing, at: now) { try files.read($0) }
    #expect(folder[new]?.checksum == Array(budget.bytes().suffix(32)))
    #expect(update.faults.map(\.path) == [old])
    #expect(folder.count == 1 && folder.place(of: exampleID(1))?.since == now)

    // What cannot be told from what came right after it is read again by the next run.
    let soon = Timestamp(milliseconds: 3)
    update = folder.update(to: files.listing, at: soon) { try files.read($0) }
    files.write(budget, new, at: 0)
    _ = folder.update(to: files.listing, at: soon) { try files.read($0) }
    #expect(DocumentFolder(encoded: folder.bytes())?.count == 0)
    var damaged = folder.bytes()
    damaged[5] ^= 1
    #expect(DocumentFolder(encoded: damaged) == nil && DocumentFolder(encoded: []) == nil)
  }

  @Test("what is recorded and forgotten keeps the paths in order, and is known to be new")
  func order() throws {
    let now = Timestamp(milliseconds: 1_795_000_100_000)
    var files = Files()
    for number: UInt64 in [3, 1, 2] {
      files.write(try note(number, "Note"), RelativePath("\(number).peernote"), at: 1)
    }
    var folder = DocumentFolder()
    _ = folder.update(to: files.listing, at: now) { try files.read($0) }
    #expect(folder.paths.map(\.description) == ["1.peernote", "2.peernote", "3.peernote"])
    var again = try #require(DocumentFolder(encoded: folder.bytes()))
    #expect(again.paths == folder.paths && !again.hasChanged)
    _ = again.update(to: files.listing, at: now) { try files.read($0) }
    #expect(!again.hasChanged && again.bytes() == folder.bytes())
    let (path, new) = (RelativePath("2.peernote"), RelativePath("25.peernote"))
    let (summary, stamp) = (try #require(again[path]), try #require(again.stamp(of: path)))
    again.forget(path)
    again.record(summary, at: new, stamp, readAt: now)
    again.record(summary, at: RelativePath("0.peernote"), stamp, readAt: now)
    again.record(summary, at: new, stamp, readAt: now)
    #expect(again.hasChanged && again.paths == again.paths.sorted() && again.paths.count == 4)
    #expect(again.paths(of: summary.id) == [RelativePath("0.peernote"), new])
    #expect(DocumentFolder(encoded: again.bytes())?.paths == again.paths)
  }

  @Test("a document that is marked as deleted comes back with an edit that knew nothing of it")
  func deletion() throws {
    var desk = try note(1, "Budget")
    var phone = desk
    try desk.markDeleted(by: session("desk", at: 1))
    #expect(DocumentSummary(of: desk, checksum: []).deletion?.isCurrent == true)

    var stick = try merged(phone, desk)
    #expect(stick.deletion?.isCurrent == true)

    try phone.change(by: session("phone", at: 2)) { editor throws(EditError) in
      try editor.put("Budget 2027", at: ["title"])
    }
    _ = try phone.merge(desk)
    _ = try stick.merge(phone)
    #expect(stick.deletion?.isCurrent == false && stick.deletion?.author == "desk")
    #expect(stick.deletion?.time == session("desk", at: 1).time)
    // Whoever withdraws the mark makes the same change.
    #expect(try phone.withdrawOutdatedDeletion() && stick.withdrawOutdatedDeletion())
    #expect(stick.bytes() == phone.bytes())
    #expect(stick.deletion == nil && stick.root["title"] == .value(.string("Budget 2027")))

    // Two who delete it agree.
    var other = stick
    try stick.markDeleted(by: session("desk", at: 3))
    try other.markDeleted(by: session("phone", at: 4))
    _ = try other.merge(stick)
    #expect(other.deletion?.isCurrent == true)
    #expect(try !other.withdrawOutdatedDeletion())
    // A field of that name marks nothing.
    var field = try note(2, "Field")
    try field.change(by: session("desk", at: 5)) { editor throws(EditError) in
      try editor.put(.timestamp(Timestamp(milliseconds: 1)), at: ["deleted"])
    }
    #expect(field.deletion == nil)
  }
}

/// A session of somebody who edits the documents of a folder.
func session(_ author: String, at minute: Int64 = 0) -> DocumentSession {
  let bits = author.utf8.reduce(UInt64(minute + 1)) { $0 &* 31 &+ UInt64($1) }
  return DocumentSession.person(bits, author, at: 1_795_000_000_000 + minute * 60_000)
}

/// The identity of one of the documents.
func exampleID(_ number: UInt64) -> UniqueID { UniqueID(randomBits: 0x5EED, number) }
