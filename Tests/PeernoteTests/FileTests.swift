import Foundation
import Peernote
import PeernoteFiles
import PeernoteFoundation
import PeernoteTestSupport
import Testing

@Suite("Documents in files") struct FileTests {
  /// A folder that is removed with the test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> FileName {
      FileName(url.appending(path: name).path(percentEncoded: false))
    }

    var names: [String] {
      get throws {
        try FileManager.default.contentsOfDirectory(
          atPath: url.path(percentEncoded: false)
        ).sorted()
      }
    }
  }

  private let folder: Folder
  private let file: FileName
  private let tags = JSONPointer(["tags"])

  init() throws {
    folder = try Folder()
    file = folder.file("a.peernote")
  }

  private func document(_ id: UInt64 = 1) throws -> Document {
    var document = Document(id: UniqueID(randomBits: 1, id))
    try document.change(by: .person(1)) { try $0.putContainer(.set, at: tags) }
    return document
  }

  private func add(_ tag: Int, to document: inout Document) throws {
    try document.change(by: .person(UInt64(100 + tag))) { editor in
      try editor.add(.integer(Int64(tag)), toSetAt: tags)
    }
  }

  private func tags(of document: Document) -> DocumentNode? { document.node(at: tags) }

  @Test("two documents are equal if they are written as the same bytes")
  func equality() throws {
    let session = DocumentSession.person(1, "a", at: 1)
    var one = Document()
    #expect(one != Document())
    try one.change(by: session) { editor in
      try editor.put(true, at: ["done"])
      try editor.put(1.5, at: ["hours"])
      try editor.put(node: .text("secret"), at: ["body"])
    }
    var other = try Document(bytes: one.bytes())
    #expect(one == other)
    try other.change(by: session) { try $0.spliceText(at: ["body"], scalars: 0..<6, with: "") }
    #expect(one != other)
    var redacted = other
    _ = try redacted.redactDeletedText()
    #expect(redacted.heads == other.heads && redacted != other)
  }

  @Test(
    "a file is compared with bytes in pieces, up to its end",
    arguments: [0, 1, 1 << 18 - 1, 1 << 18, 1 << 19 + 1])
  func comparing(size: Int) throws {
    let files = SystemFileSystem()
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 251) }
    try Data(bytes).write(to: folder.url.appending(path: "a.peernote"))
    let identity = try files.identity(of: file, followingLinks: true)
    #expect(try files.identity(of: file, ifItHolds: bytes) == identity)
    var others = [bytes + [0], [0] + bytes]
    if size > 0 {
      others += [Array(bytes.dropLast()), bytes.dropLast() + [bytes[size - 1] ^ 1]]
    }
    for other in others { #expect(try files.identity(of: file, ifItHolds: other) == nil) }
  }

  @Test("comparing throws what reading does")
  func comparingNothing() throws {
    let files = SystemFileSystem()
    for (name, kind) in [("none", HostError.Kind.notFound), (".", .isDirectory)] {
      let error = #expect(throws: HostError.self) {
        try files.identity(of: folder.file(name), ifItHolds: [])
      }
      #expect(error?.kind == kind)
    }
  }

  @Test("a document is saved and read again, and saving it once more writes nothing")
  func saving() throws {
    var document = try document()
    let report = try document.save(to: file)
    #expect(report.hasWritten && report.merge == nil)
    #expect(try Document(contentsOf: file).bytes() == document.bytes())
    let again = try document.save(to: file)
    #expect(!again.hasWritten && again.merge == nil)
    #expect(try folder.names == ["a.peernote"])
  }

  @Test("what another program wrote meanwhile is merged, in the file and in the document")
  func mergesOnChange() throws {
    var desk = try document()
    try desk.save(to: file)
    var phone = try Document(contentsOf: file)
    try add(1, to: &desk)
    try add(2, to: &phone)
    try phone.save(to: file)
    let report = try desk.save(to: file)
    #expect(report.hasWritten)
    #expect(report.merge?.newChanges.map(\.author) == ["author 102"])
    #expect(tags(of: desk) == .set([.integer(1), .integer(2)]))
    #expect(try Document(contentsOf: file).bytes() == desk.bytes())
    // An old copy that is saved takes nothing back, and is brought up to date.
    #expect(try phone.save(to: file).hasWritten == false)
    #expect(phone.bytes() == desk.bytes())
  }

  @Test("a URL gives the results of a name, and a document that is observed takes in what is there")
  func urls() async throws {
    let url = folder.url.appending(path: "a.peernote")
    var document = try document()
    let first = try document.save(to: url)
    #expect(first.hasWritten && first.merge == nil)
    let live = ObservedDocument(try Document(contentsOf: url))
    var updates = await live.updates(.each).values.makeAsyncIterator()
    try Document.update(url) { try add(1, to: &$0) }
    try await live.change(by: .person(2)) { try $0.put("mine", at: ["title"]) }
    let report = try await live.save(to: url)
    #expect(report.hasWritten && report.merge?.newChanges.map(\.author) == ["author 101"])
    let saved = await live.document
    #expect(tags(of: saved) == .set([.integer(1)]))
    #expect(try Document(contentsOf: url) == saved)
    #expect(await updates.next()?.patches.map(\.path) == [["title"]])
    #expect(await updates.next()?.patches.map(\.path) == [tags])
    let again = try await live.save(to: file)
    #expect(!again.hasWritten && again.merge == nil)
    #expect(throws: FileError.self) { try Document(contentsOf: URL(string: "https://a.example")!) }
  }

  @Test("a text that was redacted in memory is redacted in the file")
  func redaction() throws {
    var document = try document()
    let body = JSONPointer(["body"])
    try document.change(by: .person(2)) { try $0.put(node: .text("secret"), at: body) }
    try document.change(by: .person(2)) { try $0.replaceText(at: body, with: "") }
    try document.save(to: file)
    try document.redactDeletedText()
    #expect(try document.save(to: file).hasWritten)
    #expect(try Document(contentsOf: file).bytes() == document.bytes())
  }

  @Test("a file that holds something else is refused, and stays as it is")
  func refusals() throws {
    var other = try document(2)
    try other.save(to: file)
    let bytes = other.bytes()
    var document = try document()
    let before = document.bytes()
    var error = #expect(throws: FileError.self) { try document.save(to: file) }
    #expect(error?.kind == .differentDocument)
    #expect(try Document(contentsOf: file).bytes() == bytes)
    #expect(document.bytes() == before)

    let url = URL(filePath: file.visible)
    for damage in [Data(), Data(bytes.dropLast()), Data("plain text".utf8)] {
      try damage.write(to: url)
      error = #expect(throws: FileError.self) { try document.save(to: file) }
      #expect(error?.kind == .damaged)
      #expect(try Data(contentsOf: url) == damage)
      error = #expect(throws: FileError.self) { try Document(contentsOf: file) }
      #expect(error?.kind == .damaged)
    }
    error = #expect(throws: FileError.self) { try Document(contentsOf: folder.file("b")) }
    #expect(error?.kind == .unreadable)
    #expect(error?.file == folder.file("b"))
    error = #expect(throws: FileError.self) { try document.save(to: folder.file("none/b")) }
    #expect(error?.kind == .cannotCreate)
    #expect(try folder.names == ["a.peernote"])
  }

  @Test("a pipe and a device are no documents, and are not waited for")
  func pipes() throws {
    let pipe = folder.file("pipe")
    #expect(unsafe mkfifo(pipe.visible, 0o600) == 0)
    for name in ["/dev/null", "/dev/zero", pipe] {
      let error = #expect(throws: FileError.self) { try Document(contentsOf: name) }
      // Else the pipe would be waited for, forever.
      try #require(error?.reason == "cannot read: it is not a regular file")
      #expect(error?.kind == .unreadable)
    }
  }

  @Test("an update that puts another value in the document's place takes nothing out of the file")
  func replacedInUpdate() throws {
    let old = try document()
    var document = old
    try add(1, to: &document)
    try document.save(to: file)
    let bytes = document.bytes()
    try Document.update(file) { $0 = old }
    #expect(try Document(contentsOf: file).bytes() == bytes)
    try Document.update(file) { document in
      document = old
      try add(2, to: &document)
    }
    let merged = try Document(contentsOf: file)
    #expect(tags(of: merged) == .set([.integer(1), .integer(2)]))
    var unrelated = Document(id: old.id)
    try unrelated.change(by: .person(9)) { try $0.put(1, at: ["a"]) }
    for other in [Document(), unrelated] {
      let error = #expect(throws: FileError.self) { try Document.update(file) { $0 = other } }
      #expect(error?.kind == .differentDocument)
    }
    #expect(try Document(contentsOf: file).bytes() == merged.bytes())
    try Document.update(file) { document in
      try document.change(by: .person(2)) { try $0.put(node: .text("secret"), at: ["body"]) }
      try document.change(by: .person(2)) { try $0.replaceText(at: ["body"], with: "") }
    }
    try Document.update(file) { try $0.redactDeletedText() }
    var redacted = try Document(contentsOf: file)
    let known = redacted.bytes()
    try redacted.redactDeletedText()
    #expect(redacted.bytes() == known)
  }

  @Test("many writers at once, and each one's change is in the file")
  func writers() throws {
    var document = try document()
    try document.save(to: file)
    let (first, file, tags) = (document, file, tags)
    let failures = Failures()
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      do {
        if number.isMultiple(of: 2) {
          try Document.update(file) { document in
            try document.change(by: .person(UInt64(10 + number))) { editor in
              try editor.add(.integer(Int64(number)), toSetAt: tags)
            }
          }
        } else {
          var copy = first
          try copy.change(by: .person(UInt64(10 + number))) { editor in
            try editor.add(.integer(Int64(number)), toSetAt: tags)
          }
          try copy.save(to: file)
        }
      } catch {
        failures.add("\(number): \(error)")
      }
    }
    #expect(failures.all == [])
    let wanted = Set((0..<12).map { Value.integer(Int64($0)) })
    #expect(self.tags(of: try Document(contentsOf: file)) == .set(members: wanted))
    #expect(try folder.names == ["a.peernote"])
  }

  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var failures: [String] = []

    func add(_ failure: String) { lock.withLock { failures.append(failure) } }
    var all: [String] { lock.withLock { failures } }
  }

  @Test("links stay links, permissions stay, and a change that fails leaves the file")
  func updating() throws {
    var document = try document()
    try document.save(to: file)
    let link = folder.file("link")
    let (linkPath, path) = (link.visible, file.visible)
    try FileManager.default.createSymbolicLink(
      atPath: linkPath, withDestinationPath: "a.peernote")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let count = try Document.update(link) { document in
      try add(5, to: &document)
      return document.changeCount
    }
    #expect(count == 2)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: linkPath) == "a.peernote")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(tags(of: try Document(contentsOf: file)) == .set([.integer(5)]))

    #expect(throws: EditError.self) {
      try Document.update(file) { document in
        try add(6, to: &document)
        try document.change(by: .person(9)) { try $0.remove(at: ["none"]) }
      }
    }
    #expect(tags(of: try Document(contentsOf: file)) == .set([.integer(5)]))
    #expect(try folder.names == ["a.peernote", "link"])
  }
}
