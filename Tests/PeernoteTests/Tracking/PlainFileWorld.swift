import Peernote
import PeernoteTestSupport

/// Machines that hold one plain file and its history, and a synchroniser that delivers each alone.
///
/// Words are lines; each is written once, by somebody who knows what stands in the file they edit.
struct PlainFileWorld {
  /// What a machine holds under a name.
  enum Content: Equatable {
    /// A text, and the version that it says it was made from.
    case text(String, base: [ChangeID]? = nil)
    case history(PlainHistory)
  }

  /// A file as the synchroniser sees it.
  struct Entry: Equatable {
    /// `nil`: it was removed.
    var content: Content?
    /// Milliseconds.
    var modified: Int64
    /// How often each machine has written it.
    var versions: [Int]
    /// The machine that wrote it last.
    var writer: Int
    /// When it came to this machine.
    var arrived: Int64
    /// The events that whoever wrote it had seen, for the model.
    var seen: Set<Int>
  }

  /// What somebody did, for the model.
  enum Event {
    case inserted(String, seen: Set<Int>)
    case deleted(String, seen: Set<Int>)
  }

  struct Setting {
    var machineCount: Int
    /// Those that run the program: the first ones.
    var programCount: Int
    /// How far clocks go wrong, in milliseconds.
    var skew: [Int64]
    /// To how many milliseconds times are kept.
    var grain: [Int64]
    /// Whether the file says which version it was made from.
    var hasMarker = false
  }

  let setting: Setting
  var generator: SplitMix64
  var clock: Int64 = 1_795_000_000_000
  var disks: [[String: Entry]]
  var memories: [PlainMemory?]
  /// The history as each machine last had it.
  var privates: [PlainHistory?]
  /// The lines that were listed as taken out at some time.
  var told: Set<String> = []
  var events: [Event] = []
  /// The texts that people have seen on each machine.
  var texts: [[String]]
  var isOnline: [Bool]
  var wordCount = 0
  var copyCount = 0
  var writeCount = 0
  /// Whether what happens is printed.
  var isTraced = false

  func trace(_ words: @autoclosure () -> String) {
    if isTraced { print(clock / 1000 % 1_000_000, words()) }
  }

  /// A text on one line.
  func line(_ text: String) -> String {
    text.split(separator: "\n").map { $0.hasPrefix("word") ? String($0.dropFirst(4)) : String($0) }
      .joined(separator: " ")
  }

  init(_ setting: Setting, seed: UInt64) throws {
    self.setting = setting
    generator = SplitMix64(seed: seed)
    let text = "a\nb\nc\n"
    var history = try PlainHistory(
      id: UniqueID(randomBits: 1, seed), text: text, time: Timestamp(milliseconds: clock))
    if setting.hasMarker { try history.setMarker(true) }
    let base = setting.hasMarker ? history.document.heads : nil
    var seen: Set<Int> = []
    for (number, word) in ["a", "b", "c"].enumerated() {
      events.append(.inserted(word, seen: []))
      seen.insert(number)
    }
    let count = setting.machineCount
    let zero = Array(repeating: 0, count: count)
    let file = Entry(
      content: .text(text, base: base), modified: clock, versions: zero, writer: 0, arrived: 0,
      seen: seen)
    let kept = Entry(
      content: .history(history), modified: clock, versions: zero, writer: 0, arrived: 0,
      seen: seen)
    disks = Array(repeating: ["P": file, "H": kept], count: count)
    let memory = PlainMemory(showing: history)
    memories = (0..<count).map { $0 < setting.programCount ? memory : nil }
    privates = Array(repeating: nil, count: count)
    texts = Array(repeating: [text], count: count)
    isOnline = Array(repeating: true, count: count)
  }

  func live(_ machine: Int, _ name: String) -> Entry? {
    disks[machine][name].flatMap { $0.content == nil ? nil : $0 }
  }

  func text(_ machine: Int) -> String? {
    if case .text(let text, _) = live(machine, "P")?.content { text } else { nil }
  }

  // MARK: Writing

  mutating func put(
    _ machine: Int, _ name: String, _ content: Content?, modified: Int64, seen: Set<Int>
  ) {
    var versions =
      disks[machine][name]?.versions ?? Array(repeating: 0, count: setting.machineCount)
    versions[machine] += 1
    disks[machine][name] = Entry(
      content: content, modified: modified, versions: versions, writer: machine, arrived: clock,
      seen: seen)
  }

  // MARK: Delivering

  /// One machine takes a file from another one, as Syncthing does.
  mutating func pull(_ name: String, to: Int, from: Int) {
    guard isOnline[to], isOnline[from], let theirs = disks[from][name] else { return }
    // It is found some time after it was written.
    if clock < theirs.arrived + 5000 { return }
    var arriving = theirs
    arriving.arrived = clock
    guard let ours = disks[to][name] else {
      disks[to][name] = arriving
      return
    }
    func isPast(_ left: [Int], _ right: [Int]) -> Bool { zip(left, right).allSatisfy { $0 <= $1 } }
    if isPast(theirs.versions, ours.versions) { return }
    if isPast(ours.versions, theirs.versions) {
      trace("\(to) gets \(name) of \(from)")
      disks[to][name] = arriving
      return
    }
    arriving.versions = zip(ours.versions, theirs.versions).map { max($0, $1) }
    let isTheirs =
      (theirs.modified, -theirs.writer) > (ours.modified, -ours.writer)
    if ours.content == theirs.content {
      arriving.modified = max(ours.modified, theirs.modified)
      arriving.writer = isTheirs ? theirs.writer : ours.writer
      arriving.arrived = isTheirs ? clock : ours.arrived
      arriving.seen = ours.seen.union(theirs.seen)
      disks[to][name] = arriving
      return
    }
    if theirs.content == nil { return }
    guard isTheirs || ours.content == nil else { return }
    if ours.content != nil {
      copyCount += 1
      trace("\(to) gets \(name) of \(from), and has copy\(copyCount)")
      put(
        to, "\(name).copy\(copyCount)", ours.content, modified: ours.modified, seen: ours.seen)
    }
    disks[to][name] = arriving
  }

  // MARK: The program

  /// Does what `tidy` does for the note on a machine.
  mutating func tick(_ machine: Int) throws {
    guard machine < setting.programCount, case .history(var history) = live(machine, "H")?.content
    else { return }
    let before = history
    let names = disks[machine].keys.filter { $0.contains(".copy") && live(machine, $0) != nil }
      .sorted()
    var memory = memories[machine]
    var isNews = false
    if let kept = privates[machine] {
      isNews = !Set(kept.document.changes.map(\.id)).isSuperset(of: history.document.heads)
      try history.merge(kept)
    }
    for name in names {
      if case .history(let copy) = live(machine, name)?.content {
        isNews = true
        try history.merge(copy)
        put(machine, name, nil, modified: clock, seen: [])
      }
    }
    let fileNames = names.filter { $0.hasPrefix("P") }
    let last = (["P"] + fileNames).compactMap { live(machine, $0)?.arrived }.max() ?? 0
    var seen = live(machine, "H")?.seen ?? []
    if clock - last >= 5000, let entry = live(machine, "P"), let file = plainFile(machine, "P") {
      let copies = fileNames.compactMap { plainFile(machine, $0) }
      let whole = history
      let recording = try history.record(file, memory: memory, hasCopies: !copies.isEmpty)
      trace("\(machine) reads [\(line(file.text))]: \(recording.words(in: history, self))")
      let mayBeEarly =
        setting.programCount > 1 && recording.takenOut != nil
        && !file.isSavedHere && !isNews && clock - entry.arrived < 600_000
      if recording.shown == nil || mayBeEarly {
        trace("\(machine) waits for the history")
        history = whole
      } else {
        told.formUnion(recording.takenOut?.lines ?? [])
        let found = try history.record(
          copies: copies, besideFile: recording.shown ?? [], as: .prose)
        for (name, finding) in zip(fileNames, found) {
          guard case .taken(let left, _) = finding else { continue }
          told.formUnion(left?.lines ?? [])
          trace("\(machine) folds \(name)")
          seen.formUnion(live(machine, name)?.seen ?? [])
          put(machine, name, nil, modified: clock, seen: [])
        }
        seen.formUnion(entry.seen)
        let settlement = try history.settle(as: .prose)
        if !settlement.added.isEmpty { trace("\(machine) settles: \(settlement.added)") }
        let text = history.text
        let base = history.hasMarker ? history.document.heads : nil
        if file.text != text || file.base != base {
          put(
            machine, "P", .text(text, base: base), modified: clock + setting.skew[machine],
            seen: seen)
          trace("\(machine) writes [\(line(text))]")
          writeCount += 1
          texts[machine].append(text)
        }
        history.noteShown()
        memory = PlainMemory(showing: history)
      }
    }
    if history != before {
      put(machine, "H", .history(history), modified: clock + setting.skew[machine], seen: seen)
    }
    privates[machine] = history
    memories[machine] = memory
  }

  private func grained(_ time: Int64, _ machine: Int) -> Int64 {
    time / setting.grain[machine] * setting.grain[machine]
  }

  private func plainFile(_ machine: Int, _ name: String) -> PlainFile? {
    guard let entry = live(machine, name), case .text(let text, let base) = entry.content else {
      return nil
    }
    let modified = grained(entry.modified, machine)
    let isSavedHere = abs(entry.arrived + setting.skew[machine] - modified) <= 2000
    return PlainFile(
      text: text, modified: Timestamp(milliseconds: modified), isSavedHere: isSavedHere, base: base)
  }
}

extension PlainHistory.Recording {
  /// What was found, in words.
  fileprivate func words(in history: PlainHistory, _ world: PlainFileWorld) -> String {
    guard let shown else { return "early" }
    guard let base else { return "shows \(shown.map(\.description))" }
    let text = (try? history.document.at(version: base).root["body"]).flatMap { $0 }
    guard case .text(let text) = text else { return "recorded" }
    return "recorded \(shown.map(\.description)), base [\(world.line(text))]"
  }
}
