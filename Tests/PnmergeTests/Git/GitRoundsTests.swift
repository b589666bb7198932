import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// Two people edit the same notes, and pull and push through a bare repository.
///
/// They merge and they rebase. A model of the edits is the judge: nothing is lost but what somebody
/// deleted or settled, nothing is hidden that no conflict lists, and nothing comes twice. `PEERNOTE_GIT_ROUNDS` sets the number of rounds, 50 by default, and `PEERNOTE_SEED` the
/// seed from which they follow.
@Suite("git: rounds of two people")
struct GitRoundsTests {
  @Test(
    "both end with identical files and no edit lost", arguments: [TestSetting.number("SEED") ?? 1])
  func rounds(seed: UInt64) throws {
    var team = try Team(seed: seed)
    for round in 0..<(TestSetting.number("GIT_ROUNDS") ?? 50) { try team.play(round) }
    try team.finish()
  }
}

/// What should stand in a note in the end.
private struct Model {
  /// The pieces of text that someone inserted and nobody deleted.
  var pieces: Set<String> = []
  /// Those of them that somebody decided against, while another person may have kept them.
  var settled: Set<String> = []
  /// Those that somebody deleted, and somebody decided for where this was contested.
  var kept: Set<String> = []
  var tags: Set<String> = []
  var titles: Set<String> = []
}

private struct Team {
  private let git: GitSandbox
  private var generator: SplitMix64
  private var models: [String: Model] = [:]
  private var editCount: UInt64 = 0
  private let people = ["ann", "ben"]
  private let notes = ["x.peernote", "y.peernote"]

  init(seed: UInt64) throws {
    git = try GitSandbox()
    generator = SplitMix64(seed: seed)
    try git.sh(
      """
      git init -q --bare hub.git; git clone -q hub.git ann 2>/dev/null; cd ann
      pnmerge git install -q; git commit -q --allow-empty -m start
      """)
    for note in notes {
      var document = Document(id: UniqueID(high: seed, low: UInt64(note.utf8.first ?? 0)))
      try document.change(by: session("ann")) {
        try $0.create(Note(title: "0", body: Self.lasting))
      }
      models[note] = Model(pieces: [Self.lasting], titles: ["0"])
      try write(document, "ann", note)
    }
    let run = try git.sh(
      """
      cd ann; save notes; git push -q origin HEAD; cd ..; git clone -q hub.git ben; cd ben
      pnmerge git install -q
      """)
    #expect(run.status == 0, "\(run.errors)")
  }

  // MARK: Edits

  private mutating func session(_ person: String) -> DocumentSession {
    editCount += 1
    return DocumentSession.person(
      generator.next(), person, at: Int64(1_800_000_000_000 + editCount * 1000))
  }

  private func file(_ person: String, _ note: String) -> URL {
    git.program.directory.appending(path: person).appending(path: note)
  }

  private func read(_ person: String, _ note: String) throws -> Document {
    try Document(bytes: Array(try Data(contentsOf: file(person, note))))
  }

  private func write(_ document: Document, _ person: String, _ note: String) throws {
    try Data(document.bytes()).write(to: file(person, note))
  }

  /// A piece that nobody deletes.
  private static let lasting = "[lasting]\n"

  /// Takes a body apart into the pieces it was put together from, each as a line `[name]`.
  private static func pieces(_ body: String) -> [String] {
    body.split(separator: "\n").map { $0 + "\n" }
  }

  /// The pieces that stand only in a reading of a contested passage that is not shown.
  private static func listed(in document: Document) -> Set<String> {
    let shown = pieces(Note(root: document.root)?.body ?? "")
    return Set(document.conflicts.flatMap(\.others).flatMap(pieces)).subtracting(shown)
  }

  /// The pieces that are shown in a contested passage, and lack in another reading of it.
  private static func disputed(in document: Document) -> Set<String> {
    Set(
      document.conflicts.flatMap { conflict in
        conflict.others.flatMap { Set(pieces(conflict.kept)).subtracting(pieces($0)) }
      })
  }

  private static func pieces(_ side: Conflict.Side) -> [String] {
    if case .text(let text) = side.node { pieces(text) } else { [] }
  }

  private mutating func edit(_ person: String) throws {
    let note = generator.pick(notes)
    var document = try read(person, note)
    guard let old = Note(root: document.root), var model = models[note] else {
      Issue.record("\(note) is no note any more")
      return
    }
    let (listed, disputed) = (Self.listed(in: document), Self.disputed(in: document))
    let session = session(person)
    let name = "\(person)\(editCount)"
    let pieces = Self.pieces(old.body)
    let start = generator.below(pieces.count + 1)
    let before = pieces[..<start].reduce(0) { $0 + $1.unicodeScalars.count }
    let body = JSONPointer(["body"])
    switch generator.weighted([5, 2, 1, 1]) {
    case 0:
      let piece = "[\(name) \(String(repeating: "é", count: generator.below(9)))]\n"
      model.pieces.insert(piece)
      try document.change(by: session) {
        try $0.spliceText(at: body, scalars: before..<before, with: piece)
      }
    case 1 where start < pieces.count && pieces[start] != Self.lasting:
      model.pieces.remove(pieces[start])
      model.kept.remove(pieces[start])
      let end = before + pieces[start].unicodeScalars.count
      try document.change(by: session) {
        try $0.spliceText(at: body, scalars: before..<end, with: "")
      }
    case 2:
      model.titles.insert(name)
      try document.change(by: session) { try $0.put(.string(name), at: JSONPointer(["title"])) }
    default:
      model.tags.insert(name)
      try document.change(by: session) {
        try $0.add(.string(name), toSetAt: JSONPointer(["tags"]))
      }
    }
    // An edit inside of a contested passage settles it.
    let shown = Self.pieces(Note(root: document.root)?.body ?? "")
    model.settled.formUnion(listed.subtracting(Self.listed(in: document)).subtracting(shown))
    model.kept.formUnion(disputed.subtracting(Self.disputed(in: document)).intersection(shown))
    models[note] = model
    try write(document, person, note)
  }

  // MARK: Rounds

  mutating func play(_ round: UInt64) throws {
    for person in people {
      for _ in 0..<generator.below(3) {
        for _ in 0..<generator.within(1...3) { try edit(person) }
        let run = try git.sh("cd \(person); git commit -qam 'round \(round)'")
        #expect(run.status == 0, "\(run.errors)")
      }
    }
    // Whoever is away today pulls later.
    for person in generator.shuffled(people) where generator.chance(75) { try sync(person) }
  }

  private mutating func sync(_ person: String) throws {
    let pull = generator.pick([
      "pull -q --no-rebase", "pull -q --rebase", "-c rebase.backend=apply pull -q --rebase",
    ])
    let run = try git.sh("cd \(person); git \(pull) > ../log; git push -q")
    #expect(run.status == 0, "git \(pull): \(run.errors)")
  }

  mutating func finish() throws {
    for person in people + people { try sync(person) }
    let merges = try git.sh("cd ann; git rev-list --merges --count HEAD").output
    #expect(merges != "0\n", "nobody merged anything")
    for note in notes {
      let document = try read("ann", note)
      #expect(document.bytes() == (try read("ben", note)).bytes())
      #expect(Document.validate(bytes: document.bytes()).isEmpty)
      let found = try #require(Note(root: document.root))
      let model = try #require(models[note])
      let shown = Self.pieces(found.body)
      #expect(Set(shown).count == shown.count)
      let deleted = Set(shown).subtracting(model.pieces)
      #expect(deleted.subtracting(model.kept).subtracting(Self.disputed(in: document)).isEmpty)
      let lost = model.pieces.subtracting(shown).subtracting(Self.listed(in: document))
      #expect(lost.subtracting(model.settled).isEmpty)
      #expect(Set(found.tags) == model.tags)
      #expect(model.titles.contains(found.title ?? ""))
    }
    #expect(
      try git.sh("cd ann; git diff --quiet origin/main; git -C ../ben diff --quiet").status == 0)
  }
}
