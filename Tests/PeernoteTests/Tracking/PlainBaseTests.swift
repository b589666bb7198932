import Peernote
import PeernoteTestSupport
import Testing

@Suite("Which version a file was made from, where nothing says it")
struct PlainBaseTests {
  private let start = "# List\n- milk\n- bread\n- eggs\n"

  private func file(_ text: String, _ seconds: Int64, isSavedHere: Bool = false) -> PlainFile {
    PlainFile(
      text: text, modified: Timestamp(milliseconds: 1_795_000_000_000 + seconds * 1000),
      isSavedHere: isSavedHere)
  }

  private func history(_ text: String) throws -> PlainHistory {
    try PlainHistory(id: UniqueID(randomBits: 1, 2), text: text, time: file(text, 0).modified)
  }

  private func memory(of history: PlainHistory) -> PlainMemory {
    PlainMemory(showing: history)
  }

  /// A history that recorded a save of the desk.
  private func saved(_ text: String, after start: String) throws -> PlainHistory {
    var history = try history(start)
    _ = try history.record(file(text, 10, isSavedHere: true), memory: memory(of: history))
    return history
  }

  @Test(
    "what came from the desk and is changed, moved or deleted elsewhere, also hours later, is so",
    arguments: [
      ("- milk\n- oat milk\n- bread\n", "- milk\n- rye milk\n- bread\n"),
      ("- bread\n- hotel 200\n", "- bread\n- hotel 250\n"), ("- [x] tea\n", "- [ ] tea\n"),
      ("- bread\n- tea\n- jam\n", "- jam\n- bread\n- tea\n"), ("- tea\n", ""),
      ("- tea\n\n\n- jam\n", "- tea\n- jam\n"), ("- tea\n- jam\n", "- coffee\n- honey\n"),
    ])
  func later(desk: String, phone: String) throws {
    var history = try saved(start + desk, after: start)
    let shown = history.document.heads
    let recording = try history.record(file(start + phone, 90_000), memory: memory(of: history))
    #expect(history.text == start + phone)
    #expect(recording.base == shown)
  }

  @Test("a text of before is a return to it, recorded at what the file showed")
  func taken() throws {
    var history = try saved(start + "- tea\n", after: start)
    let shown = history.document.heads
    let recording = try history.record(file(start, -90_000), memory: memory(of: history))
    #expect(history.text == start && recording.takenOut?.lines == ["- tea"])
    #expect(recording.base == shown, "\(recording)")
  }

  @Test("what a file shows already is not recorded again")
  func known() throws {
    var history = try saved(start + "- tea\n", after: start)
    let before = history
    for memory in [nil, memory(of: history)] {
      let recording = try history.record(file(history.text, 20), memory: memory)
      #expect(recording.shown == history.document.heads && recording.base == nil)
    }
    // Without a memory it is not known that anybody went back.
    #expect(try history.record(file(start, 30), memory: nil).takenOut == nil)
    #expect(history == before)
  }

  @Test("of the versions that came in since, that one is it from which the fewest lines are taken")
  func fewestLines() throws {
    let desk = try saved(start + "- tea\n", after: start)
    var history = try history(start)
    let floor = memory(of: history)
    try history.merge(desk)
    // The laptop has tea, the phone had not.
    var laptop = history
    _ = try laptop.record(file(start + "- tea\n- jam\n", 30), memory: floor)
    #expect(laptop.text == start + "- tea\n- jam\n")
    var phone = history
    let recording = try phone.record(file(start + "- jam\n", 30), memory: floor)
    #expect(Set(phone.text.split(separator: "\n")).isSuperset(of: ["- tea", "- jam", "- eggs"]))
    #expect(recording.takenOut == nil)
  }

  @Test("two machines that record one save make one change")
  func oneChange() throws {
    let save = file(start + "- jam\n", 41)
    var first = try history(start)
    var second = first
    _ = try first.record(save, memory: memory(of: first))
    var late = save
    late.modified = Timestamp(milliseconds: save.modified.milliseconds - 1000)
    _ = try second.record(late, memory: nil)
    #expect(first.document.heads == second.document.heads)
  }

  @Test(
    "a file from before a redaction brings nothing of it back, whichever version seems to be its base",
    arguments: [
      ("# List\npw hunter2\n- milk\n", "# List\n- milk\n"),
      ("# List\npw hunter2\n- milk\n- t\n", "# List\n- milk\n- t\n"),
      ("# List\npw hunter23\n- milk\n", nil), ("# List\n- tea\n- milk\npw hunter2\n", nil),
    ] as [(String, String?)])
  func redacted(text: String, taken: String?) throws {
    var history = try saved("# List\n- milk\n", after: "# List\npw hunter2\n- milk\n")
    try history.document.redactDeletedText()
    do {
      _ = try history.record(file(text, 30), memory: nil)
      #expect(history.text == taken)
    } catch EditError.redacted {
      #expect(taken == nil)
    }
    #expect(!String(decoding: history.document.bytes(), as: UTF8.self).contains("hunter2"))
  }

  @Test("a file that names a version that is not here waits; else that version is the base")
  func marked() throws {
    let desk = try saved(start + "- tea\n", after: start)
    var named = file(start + "- tea\n- jam\n", 50)
    named.base = desk.document.heads
    var early = try history(start)
    let before = early
    #expect(try early.record(named, memory: nil).shown == nil)
    #expect(early == before)
    var history = desk
    #expect(try history.record(named, memory: nil).takenOut == nil)
    #expect(history.text == named.text)
  }

  @Test(
    "a machine without the program names one version in all its saves: the later are made from the earlier",
    arguments: [
      ("- milk\n- tea\n", "- tea\n- milk\n"), ("- milk\n- tea\n", "- tea\n- milk\n- jam\n"),
      ("- tea\n", "- tea\n- jam\n"), ("- tea\n- jam\n", "- jam\n- tea\n"),
      ("- milk and tea\n", "- milk and tea, and jam\n"),
      ("- milk for tea\n", "- oat milk for tea\n"),
    ])
  func chained(first: String, second: String) throws {
    var history = try history("# List\n- milk\n")
    let named = history.document.heads
    for (number, text) in [first, second].enumerated() {
      var save = file("# List\n" + text, 100 + Int64(number) * 100)
      save.base = named
      let before = history.document.heads
      let recording = try history.record(save, memory: nil)
      #expect(recording.base == before, "\(recording)")
      #expect(history.text == "# List\n" + text && history.document.heads.count == 1)
    }
  }

  @Test("what another machine took out comes back by no save that names an older version")
  func takenOutElsewhere() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let start = (0..<6).map { "- line \($0) of tea" }
      func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
      var history = try history(text(start))
      let (named, gone) = (history.document.heads, random.below(6))
      let elsewhere = text(Array(start[..<gone] + start[(gone + 1)...]))
      _ = try history.record(file(elsewhere, 10, isSavedHere: true), memory: memory(of: history))
      // All are written anew, or some of those that stay.
      var lines = start
      let isReplacing = random.chance(50)
      for number in lines.indices where isReplacing || number != gone && random.chance(30) {
        lines[number] = lines[number].replacing("tea", with: "milk")
      }
      if random.chance(50) { lines.insert("- jam", at: random.below(7)) }
      if lines == start { continue }
      var save = file(text(lines), 20)
      save.base = named
      let recording = try history.record(save, memory: nil)
      #expect(recording.base == named, "seed \(seed)")
      #expect(
        !history.text.contains("line \(gone) of") || !history.document.conflicts.isEmpty,
        "seed \(seed): \(history.text)")
    }
  }

  @Test(
    "of versions that cost the same the named one is the base, so that nothing is taken for granted"
  )
  func namedFirst() throws {
    let start = "# List\n- milk\n- bread\n"
    var history = try history(start)
    let named = history.document.heads
    _ = try history.record(
      file("# List\n- oat milk\n- bread\n", 10, isSavedHere: true), memory: memory(of: history))
    var save = file("# List\n- bread\n", 20)
    save.base = named
    let recording = try history.record(save, memory: nil)
    #expect(recording.takenOut == nil && history.document.heads.count == 2)
    let settlement = try history.settle(as: .prose)
    #expect(history.text.contains("- oat milk") && settlement.added == ["- oat milk"])
  }

  // MARK: Conflict copies

  private func fold(
    _ copies: [String], into history: inout PlainHistory, beside shown: [ChangeID],
    as form: PlainForm = .prose
  ) throws -> [PlainHistory.CopyFinding] {
    let copies = copies.enumerated().map { file($1, 100 + Int64($0)) }
    let found = try history.record(copies: copies, besideFile: shown, as: form)
    _ = try history.settle(as: form)
    return found
  }

  @Test("a conflict copy is an edit of a version that lacks what the file beside it has")
  func copy() throws {
    var history = try saved(start + "- tea\n", after: start)
    let copy = start.replacing("- milk\n", with: "") + "- jam\n"
    #expect(try fold([copy], into: &history, beside: history.document.heads) == [.taken()])
    #expect(
      Set(history.text.split(separator: "\n")) == ["# List", "- bread", "- eggs", "- tea", "- jam"])
  }

  @Test("a conflict copy from before the history brings its lines, and takes none out")
  func olderCopy() throws {
    var history = try history(start)
    _ = try fold(["# List\n- bread\n- jam\n"], into: &history, beside: history.document.heads)
    #expect(
      Set(history.text.split(separator: "\n")) == [
        "# List", "- milk", "- bread", "- eggs", "- jam",
      ])
  }

  @Test("changes of a history that edit no text make no version that a copy was made from")
  func markedFile() throws {
    var history = try history(start)
    try history.setMarker(true)
    let copy = start.replacing("- milk", with: "- oat milk")
    _ = try fold([copy], into: &history, beside: history.document.heads)
    #expect(history.text.contains("\n- milk\n") && history.text.contains("\n- oat milk\n"))
  }

  @Test("many conflict copies are folded together, and an old state brings nothing")
  func manyCopies() throws {
    var history = try saved(start + "- tea\n", after: start)
    let copies = (0..<40).map { start + "- item \($0) of many\n" } + [start]
    let found = try fold(copies, into: &history, beside: history.document.heads)
    #expect(found.allSatisfy { $0 == .taken() })
    for copy in copies {
      #expect(copy.split(separator: "\n").allSatisfy { history.text.contains($0) })
    }
  }

  @Test(
    "of a copy from before the history no line stands twice, and what stands beside another is named",
    arguments: [
      ("one\nlast\n", "one\nlast", "one\nlast\n", []),
      ("one\nlast", "one\nlast\n", "one\nlast", []),
      ("one  \r\nlast\n", "one\nlast\t\n", "one  \r\nlast\n", []),
      ("one\nlast", "one \nlast\nmore\n", "one\nlast\nmore\n", []),
      ("one\nlast\n", "one\n", "one\nlast\n", []),
      ("one\npay 100\nlast\n", "one\npay 120\nlast", "one\npay 100\npay 120\nlast\n", ["pay 120"]),
    ])
  func beside(start: String, copy: String, whole: String, named: [String]) throws {
    var history = try history(start)
    let found = try fold([copy], into: &history, beside: history.document.heads)
    #expect(found == [.taken(beside: named)])
    #expect(history.text.utf8.elementsEqual(whole.utf8), "\(history.text)")
  }

  @Test("a copy with which a file could not be read is left apart")
  func invalid() throws {
    let form = PlainForm(
      structuredLines: { _ in .max }, isValid: { $0.split(separator: "\n").count == 1 })
    var history = try history("{1}")
    let before = history
    let found = try history.record(
      copies: [file("{2}", 20)], besideFile: history.document.heads, as: form)
    #expect(found == [.invalid("{1}\n{2}")] && history == before)
    // Nor is one that could not be read itself.
    let broken = try history.record(
      copies: [file("{1}\n{", 20)], besideFile: history.document.heads, as: form)
    guard case .invalid = broken[0] else {
      Issue.record("\(broken)")
      return
    }
    #expect(history == before)
  }

  /// `PEERNOTE_SEED` sets the first seed.
  @Test("lines that only make sense together are never broken: saves, merges and copies of them")
  func soundness() throws {
    /// Keys that stand once each, between braces.
    let form = PlainForm(structuredLines: { _ in .max }) { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let keys = lines.dropFirst().dropLast(2).map { $0.split(separator: " ").first ?? "" }
      return lines.first == "{" && lines.suffix(2) == ["}", ""] && Set(keys).count == keys.count
        && lines.dropFirst().dropLast(2).allSatisfy { $0.split(separator: " ").count == 2 }
    }
    let first = TestSetting.number("SEED") ?? 1
    for seed in first..<first + 60 {
      var generator = SplitMix64(seed: seed)
      func edited(_ text: String) -> String {
        var entries = text.split(separator: "\n").dropFirst().dropLast().map(String.init)
        for _ in 0..<generator.within(1...3) {
          let key = "k\(generator.within(0...5))"
          entries.removeAll { $0.hasPrefix(key + " ") }
          guard generator.chance(70) else { continue }
          entries.insert(
            "\(key) \(generator.within(0...9))", at: generator.within(0...entries.count))
        }
        return (["{"] + entries + ["}", ""]).joined(separator: "\n")
      }
      let text = "{\nk0 1\nk1 2\nk2 3\n}\n"
      var sides = try [history(text), history(text)]
      for round in 0..<6 {
        for side in sides.indices {
          let memory = memory(of: sides[side])
          let save = file(edited(sides[side].text), Int64(10 * round + side))
          _ = try sides[side].record(save, memory: memory, hasCopies: true)
          if generator.chance(50) {
            let from = generator.chance(50) ? text : sides[1 - side].text
            _ = try sides[side].record(
              copies: [file(edited(from), Int64(10 * round + 5))],
              besideFile: sides[side].document.heads, as: form)
          }
          if generator.chance(50) { try sides[side].merge(sides[1 - side]) }
          _ = try sides[side].settle(as: form)
          #expect(form.isValid(sides[side].text), "PEERNOTE_SEED=\(seed): \(sides[side].text)")
        }
      }
    }
  }

  // MARK: What a machine remembers

  @Test("what versions before this one remembered is read, and anything else is not")
  func earlierForm() throws {
    let history = try saved(start + "- tea\n", after: start)
    var present = PlainFileState(history: history, memory: memory(of: history))
    present.keep(saver: "ada", of: try #require(history.document.heads.first))
    #expect(PlainFileState(encoded: present.bytes())?.savers.map(\.author) == ["ada"])
    let whole = PlainFileState(history: history, memory: memory(of: history)).bytes().dropLast(34)
    // Without savers; and after the memory one thing that is not read any more.
    for (form, end) in [(UInt8(3), whole.dropLast(1)), (2, whole.dropLast(3) + [0xF6])] {
      var content = end
      (content[0], content[1]) = (0x82 + form, form)
      let state = try #require(PlainFileState(encoded: sealed(content)))
      #expect(state.history == history && state.isShared == (form == 2))
      #expect(state.takenOut.isEmpty && state.savers.isEmpty)
      #expect(state.memory == memory(of: history))
      #expect(PlainFileState(encoded: state.bytes())?.memory == state.memory)
      for form: UInt8 in [1, 4, 5] {
        content[1] = form
        #expect(PlainFileState(encoded: sealed(content)) == nil)
      }
    }
  }

  /// Bytes with their SHA-256, as such files end.
  private func sealed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes + [0x58, 0x20] + Envelope.digest(of: bytes)
  }

  // MARK: Settling

  /// What two sides made of a text, merged and settled on either.
  private func settled(
    _ start: String, _ first: String, _ second: String, as form: PlainForm = .prose
  ) throws -> (history: PlainHistory, settlement: PlainHistory.Settlement) {
    let base = try history(start)
    var (ours, theirs) = (base, base)
    _ = try ours.record(file(first, 10), memory: memory(of: base))
    _ = try theirs.record(file(second, 20), memory: memory(of: base))
    var other = theirs
    try other.merge(ours)
    try ours.merge(theirs)
    let settlement = try ours.settle(as: form)
    _ = try other.settle(as: form)
    #expect(ours == other && ours.text == other.text)
    #expect(ours.document.conflicts.isEmpty)
    return (ours, settlement)
  }

  @Test("where both sides changed a line both lines stand, and nothing else is asked")
  func both() throws {
    func text(_ day: String) -> String { "# Plan\n\nWe meet on \(day).\n\nChairs.\n" }
    let (history, settlement) = try settled(
      text("Monday at nine"), text("Tuesday at ten"), text("Friday at noon"))
    #expect(
      history.text
        == text("Friday at noon.\nWe meet on Tuesday at ten")
        || history.text
          == text("Tuesday at ten.\nWe meet on Friday at noon"),
      "\(history.text)")
    #expect(settlement.added.count == 1 && settlement.left == nil)
  }

  @Test(
    "a line that one side inserted beside a change of a line's end stands once, and is not named",
    arguments: [("one\nthree\n", "one\nthree"), ("one\nthree  \n", "one\nthree\n")])
  func inserted(start: String, ended: String) throws {
    let longer = start + "new one\n"
    for (first, second) in [(ended, longer), (longer, ended)] {
      let (history, settlement) = try settled(start, first, second)
      let lines = history.text.replacing("  ", with: "").split(separator: "\n")
      #expect(lines == ["one", "three", "new one"], "\(history.text)")
      #expect(settlement.added.isEmpty && settlement.left == nil, "\(settlement)")
    }
  }

  @Test("of lines that make sense together one reading stands, and the other is listed")
  func structured() throws {
    let form = PlainForm(structuredLines: { _ in 3 }, isValid: { _ in true })
    func text(_ title: String) -> String { "---\ntitle: \(title)\n---\nBody.\n" }
    let (history, settlement) = try settled(text("old"), text("desk"), text("phone"), as: form)
    #expect(history.text == text("phone") || history.text == text("desk"))
    #expect(settlement.left?.lines.count == 1)
  }

  @Test("what nobody could read together is one side's, and the rest is listed")
  func unreadable() throws {
    let form = PlainForm(
      structuredLines: { _ in .max },
      isValid: { $0.split(separator: "\n").count { $0.contains("key") } < 2 })
    // Only where both brought something in.
    let near = try settled(
      "{\na\n\n}\n", "{\nkey 1\na\n\nb\n}\n", "{\nkey 2\na\n\n}\n", as: form)
    #expect(near.history.text == "{\nkey 2\na\n\nb\n}\n")
    #expect(near.settlement.left?.lines == ["key 1"])
    let (history, settlement) = try settled(
      "{\n\n\n\n}\n", "{\nkey 1\n\n\n\n}\n", "{\n\n\n\nkey 2\n}\n", as: form)
    #expect(form.isValid(history.text))
    #expect(settlement.left?.lines == ["key 1"])
  }

  @Test("a line that does not stand, since nobody could read it together, is listed once")
  func unreadableOnce() throws {
    let form = PlainForm(
      structuredLines: { _ in .max }, isValid: { !$0.contains("b") || !$0.contains("c") })
    let later = "{\n a: 2\n}\n\n\nend\nc\n"
    let (history, settlement) = try settled(
      "{\n a: 1\n}\n\n\nend\n", "{\n a: 1,\n b: 1\n}\n\n\nend\n", later, as: form)
    #expect(history.text == later && settlement.left?.lines == [" a: 1,", " b: 1"])
  }

  @Test("a file that comes before its history each time, and is recorded, brings nothing twice")
  func early() throws {
    var ours = try history("market\nstone\n")
    var theirs = ours
    _ = try ours.record(file("quick\nstone\nlamp\n", 10), memory: memory(of: ours))
    _ = try theirs.record(file("copper\nstone\nlamp\nblue\n", 10), memory: memory(of: theirs))
    _ = try fold(["garden\nstone\n"], into: &ours, beside: ours.document.heads)
    var texts: [String] = []
    for round: Int64 in 1...5 {
      ours.noteShown()
      let delivered = file(ours.text, 1000 * round, isSavedHere: true)
      try ours.merge(theirs)
      _ = try ours.settle(as: .prose)
      _ = try theirs.record(delivered, memory: memory(of: theirs))
      texts.append(ours.text)
    }
    let lines = ours.text.split(separator: "\n")
    #expect(Set(texts).count == 1 && Set(lines).count == lines.count, "\(texts)")
    try theirs.merge(ours)
    _ = try theirs.settle(as: .prose)
    #expect(theirs.text == ours.text)
  }

  @Test("a line that both sides brought in at one place stands once")
  func once() throws {
    let (history, _) = try settled(
      start, start + "- first of the desk\n- tea for two\n", start + "- tea for two\n- more of it\n"
    )
    #expect(history.text.split(separator: "\n").count { $0 == "- tea for two" } == 1)
    #expect(history.text.contains("- more of it") && history.text.contains("- first of the desk"))
  }

  // MARK: Names

  @Test("a template is no rename; the same bytes and more than half of the own lines are")
  func share() throws {
    let template = "---\ndate: x\n---\n## Log\n"
    let others = Set(template.split(separator: "\n"))
    let history = try history(template + "- woke up\n- tea with Ann\n- rain\n")
    #expect(history.share(of: template + "- slept long\n", besides: others) == nil)
    #expect(history.share(of: history.text, besides: others) == 100)
    #expect(history.share(of: "# Moved\n- woke up\n- rain\n", besides: others) == 66)
    #expect(history.share(of: "- rain\n- woke up\n", besides: others) == nil)
  }
}
