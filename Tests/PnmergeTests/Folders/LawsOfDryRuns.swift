import PeernoteTestSupport
import PnmergeCommands
import Testing

/// Dry runs of commands on folders, each before the same run in earnest.
///
/// `PEERNOTE_ROUNDS` sets how many random worlds there are, `PEERNOTE_SEED` the first one's seed.
@Suite("Laws of dry runs")
struct LawsOfDryRuns {
  @Test(
    "a dry run says what the run after it does, and leaves all as it was",
    arguments: TestSetting.seeds(60))
  func random(seed: UInt64) throws {
    var world = try TrialWorld(seed: seed)
    for _ in 1...8 {
      for _ in 0...world.generator.below(6) { try world.step() }
      world.run()
    }
    #expect(world.faults == [], "\(world.story.joined(separator: "\n"))")
  }

  @Test("a file that is new under the name of one that was renamed is told of all folders")
  func renamed() throws {
    var world = try TrialWorld(seed: 1)
    world.host.save("a/n.md", "one\ntwo\nthree\n")
    world.host.pnmerge("track", "a")
    world.host.pnmerge("sync", "a", "s")
    try world.host.rename(FileName("a/n.md"), to: FileName("a/m.md"), replacing: false)
    world.host.save("a/z.md", "new\n")
    let said = world.host.pnmerge("sync", "-n", "a", "s").output
    #expect(
      said == """
        a/n.md: would be renamed to a/m.md
        a/z.md: new, and would be tracked
        s/n.md: would be renamed to s/m.md
        s/z.md: would be new
        2 notes: 1 would be tracked, 1 would be copied, 2 would be renamed

        """)
    world.run(["sync", "--json", "a", "s"])
    #expect(world.faults == [])
  }

  @Test("the built program says the same of real folders, and leaves them as they were")
  func program() async throws {
    let run = try await Program().sh(
      #"""
      mkdir kept
      look() { find desk stick home -exec ls -di {} +; find desk stick home -type f -exec cksum {} +; }
      round() {
        look >kept/before
        pnmerge sync -n --json $1 stick >kept/dry
        look | cmp - kept/before
        pnmerge sync --json $1 stick >kept/real
        for run in dry real; do sed 's/"written":[a-z]*//' kept/$run >kept/said-$run; done
        cmp kept/said-dry kept/said-real
        grep -o '"what":"[a-z-]*"' kept/dry
      }
      mkdir desk desk/sub stick home
      ln -s "$PWD/desk" link
      printf 'one\ntwo\nthree\n' >desk/n.md
      pnmerge track -q desk
      pnmerge new -q desk/d.peernote
      round desk
      mv desk/n.md desk/sub/m.md
      printf 'new\n' >desk/z.md
      printf 'one\ntwo\nthree\nfour\n' >stick/n.md
      mv stick/d.peernote stick/e.peernote
      pnmerge set -q desk/d.peernote /title T
      sleep 6
      round link
      pnmerge delete -q stick/e.peernote
      rm stick/.peernote/z.md.peernote
      round desk
      pnmerge sync -n desk stick
      """#)
    #expect(run.status == 0 && run.errors == "", "\(run)")
    #expect(!run.output.contains("differ"), "\(run)")
    #expect(run.output.hasSuffix(", nothing to do\n"), "\(run)")
    for what in ["copied", "renamed", "recorded", "tracked", "deleted", "restored"] {
      #expect(run.output.contains("\"what\":\"\(what)\""), "\(run)")
    }
  }
}

/// Three folders of notes and tracked files, and people who do anything with them.
private struct TrialWorld {
  let host = MemoryHost()
  var generator: SplitMix64
  private(set) var story: [String] = []
  private(set) var faults: [String] = []

  private static let folders = ["a", "b", "s"]
  private static let names = ["n.md", "m.md", "o (2).md", "sub/n.md", "sub/p.txt", "x.json"]
  private static let notes = ["d.peernote", "sub/e.peernote", "f (2).peernote"]
  private static let conflict = ".sync-conflict-20261101-101010-ABCDEFG"
  private static let commands = [
    ["sync", "a", "b"], ["sync", "s", "a"], ["sync", "b", "a", "s"], ["tidy", "a"],
    ["tidy", "--match=id", "b"], ["merge", "s", "b"],
  ]

  init(seed: UInt64) throws {
    generator = SplitMix64(seed: seed)
    (host.keepsTime, host.marksNames) = (true, true)
    for folder in Self.folders {
      try host.makeDirectory(FileName(folder))
      try host.makeDirectory(FileName("\(folder)/sub"))
    }
  }

  // MARK: What people do

  /// Some lines, of which many files have some.
  private mutating func text() -> String {
    (0...generator.below(8)).map { _ in "line \(generator.below(40))\n" }.joined()
  }

  /// A visible file in a folder with one of some endings.
  private mutating func anyFile(_ folder: String, _ endings: String...) -> String? {
    let found = host.tree(of: folder).keys.filter { path in
      !"/\(path)".contains("/.") && endings.contains { path.hasSuffix($0) }
    }.sorted()
    return found.isEmpty ? nil : "\(folder)/\(generator.pick(found))"
  }

  private func history(_ file: String) -> String {
    let parts = file.split(separator: "/")
    return (parts.dropLast() + [".peernote", "\(parts[parts.count - 1]).peernote"])
      .joined(separator: "/")
  }

  private mutating func pnmerge(_ words: String...) {
    story.append("\(words): \(host.pnmerge(words))")
  }

  private mutating func move(_ file: String, _ new: String) throws {
    for name in [new, history(new)] {
      let directory = FileName(name).directory
      if host.entries[FileName("/work").appending(directory)] == nil {
        try host.makeDirectory(directory)
      }
    }
    if host[file] == nil || host[new] != nil { return }
    try host.rename(FileName(file), to: FileName(new), replacing: false)
    story.append("\(file): moved to \(new)")
  }

  private mutating func write(_ file: String, _ text: String) {
    host.setText(file, text)
    story.append("\(file): \(text.split(separator: "\n"))")
  }

  /// One thing that somebody does.
  mutating func step() throws {
    let folder = generator.pick(Self.folders)
    let new = "\(folder)/\(generator.pick(Self.names))"
    let note = "\(folder)/\(generator.pick(Self.notes))"
    // A directory that became empty may be gone.
    if host.entries[FileName("/work/\(folder)/sub")] == nil {
      try host.makeDirectory(FileName("\(folder)/sub"))
    }
    let plain = anyFile(folder, ".md", ".txt")
    let document = anyFile(folder, ".peernote")
    switch generator.below(14) {
    case 0, 1: write(new, text())
    case 2, 3:
      guard let plain else { break }
      write(plain, generator.chance(50) ? text() + (host.text(plain) ?? "") : text())
    case 4, 5:
      guard let plain else { break }
      try move(plain, new)
      if generator.chance(50) { write(plain, text()) }
    case 6:
      guard let plain, host[new] == nil else { break }
      try move(plain, new)
      try move(history(plain), history(new))
    case 7:
      guard let plain else { break }
      host[plain] = nil
      if generator.chance(50) { host[history(plain)] = nil }
      story.append("\(plain): gone")
    case 8:
      guard let plain, let dot = plain.lastIndex(of: ".") else { break }
      write(plain[..<dot] + Self.conflict + plain[dot...], text() + (host.text(plain) ?? ""))
    case 9:
      guard let plain else { break }
      host[history(plain)] = generator.chance(50) ? nil : [1, 2, 3]
      story.append("\(plain): history gone or damaged")
    case 10: pnmerge("delete", "-q", generator.chance(50) ? plain ?? new : document ?? note)
    case 11: pnmerge("track", generator.chance(50) ? folder : new)
    case 12:
      pnmerge("new", "-q", note)
      if let document { try move(document, note) }
    default:
      guard let document else { break }
      pnmerge("set", "-q", document, "/title", "T\(generator.below(9))")
      if generator.chance(30) {
        host.copy(document, document.dropLast(".peernote".count) + Self.conflict + ".peernote")
      }
    }
    host.pass(seconds: Int64(generator.pick([0, 3, 60, 700])))
  }

  // MARK: Runs

  /// All that is on the machine.
  private var kept: [FileName: [String]] {
    host.entries.mapValues { entry in
      [
        "\(entry.kind) \(entry.inode) \(entry.modified) \(entry.changed ?? 0) \(entry.mode)",
        "\(entry.bytes)",
      ]
    }
  }

  /// Runs some command dry and in earnest, at one time.
  mutating func run() {
    var words = generator.pick(Self.commands)
    words.insert("--json", at: 1)
    if words[0] == "sync" { words.append("--fill") }
    run(words)
  }

  mutating func run(_ words: [String]) {
    let (before, now, random) = (kept, host.now, host.random)
    let trial = host.pnmerge(words + ["-n"])
    if kept != before { faults.append("\(words): the dry run wrote something") }
    (host.now, host.random) = (now, random)
    let run = host.pnmerge(words)
    let done = run.output.replacing(#""written":true"#, with: #""written":false"#)
    if (trial.output, trial.errors, trial.status) != (done, run.errors, run.status) {
      faults.append("\(words): the dry run said \(trial), and the run \(run)")
    }
    story.append("\(words): \(run)")
  }
}
