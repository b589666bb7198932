import Peernote
import PeernoteTestSupport
import Testing

/// Folders whose files come, go, change and are renamed, seen by listing or one by one.
@Suite struct LawsOfFolders {
  private struct Trial {
    var random: SplitMix64
    /// The files that are there, by their paths.
    var files: [RelativePath: [UInt8]] = [:]
    var stamps: [RelativePath: FileStamp] = [:]
    var folder = DocumentFolder()
    let documents: [(id: UniqueID, bytes: [UInt8])]
    /// Milliseconds since 1970.
    var time: Int64 = 1_795_000_000_000

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      documents = try (1...4).map { (number: UInt64) in
        var document = Document(id: exampleID(number))
        try document.change(by: session("desk")) { try $0.create(Note(title: "\(number)")) }
        return (document.id, document.bytes())
      }
    }

    /// A name out of few, so that files meet; some are those of conflict copies.
    mutating func path() -> RelativePath {
      let copy = random.chance(20) ? ".sync-conflict-20261101-101010-ABCDEFG" : ""
      return RelativePath("\(random.below(3))/\(random.below(3))\(copy).peernote")
    }

    mutating func write(_ bytes: [UInt8], at path: RelativePath) {
      files[path] = bytes
      // Not a whole second, which would be a coarse clock's.
      let modified = time * 1_000_000 + 1
      stamps[path] = FileStamp(
        size: Int64(bytes.count), modified: modified, changed: modified, number: 0)
    }

    mutating func step() throws {
      time += 1000
      let now = Timestamp(milliseconds: time + 500)
      let (path, document) = (path(), random.pick(documents))
      switch random.below(7) {
      case 0, 1:
        write(random.chance(10) ? Array("no document".utf8) : document.bytes, at: path)
      case 2:
        if let old = files.keys.sorted().first, files[path] == nil {
          (files[path], stamps[path]) = (files[old], stamps[old])
          (files[old], stamps[old]) = (nil, nil)
        }
      case 3:
        (files[path], stamps[path]) = (nil, nil)
        folder.forget(path)
      case 4:
        write(document.bytes, at: path)
        folder.record(
          try DocumentSummary(bytes: document.bytes), at: path, try #require(stamps[path]),
          readAt: now)
      case 5:
        folder.setPlace(of: document.id, .init(path: path, since: now))
      default:
        folder = try #require(DocumentFolder(encoded: folder.bytes()))
      }
      folder.checkInvariants()
      if random.chance(30) { folder.updatePlaces(at: now) }
      if random.chance(30) { try look(at: now) }
      folder.checkInvariants()
    }

    mutating func look(at now: Timestamp) throws {
      let files = files
      let update = folder.update(to: stamps, at: now) { path in
        try DocumentSummary(bytes: #require(files[path]))
      }
      let (paths, faults) = (files.keys.sorted(), update.faults.map(\.path))
      #expect(folder.paths == paths.filter { !faults.contains($0) })
      for path in folder.paths {
        let id = documents.first { $0.bytes == files[path] }?.id
        #expect(folder[path]?.id == id && id.map(folder.paths(of:))?.contains(path) == true)
      }
    }
  }

  @Test("a list of a folder holds what is there, however it was told", arguments: 1...20)
  func steps(seed: UInt64) throws {
    var trial = try Trial(seed: seed)
    for _ in 0..<80 { try trial.step() }
    try trial.look(at: Timestamp(milliseconds: trial.time + 9000))
  }
}
