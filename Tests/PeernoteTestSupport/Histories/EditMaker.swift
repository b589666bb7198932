package import Peernote

/// Makes random edits of one container as its author sees it.
package struct EditMaker {
  /// What is edited.
  package let container: OracleContainer
  /// What the author has seen.
  package let version: OracleVersion
  /// Where in the text the author last wrote; where they write next.
  package private(set) var cursor: Int
  private let profile: HistoryProfile
  private let reachesHidden: Bool

  package init(
    container: OracleContainer, version: OracleVersion, cursor: Int, profile: HistoryProfile,
    reachesHidden: Bool
  ) {
    self.container = container
    self.version = version
    self.cursor = cursor
    self.profile = profile
    self.reachesHidden = reachesHidden
  }

  /// One edit or a few that belong together; none where nothing can be done.
  package mutating func edits(_ oracle: Oracle, _ random: inout SplitMix64) -> [Edit] {
    switch container.kind {
    case .text: textEdits(oracle, &random)
    case .map: mapEdits(oracle, &random)
    case .list: listEdits(oracle, &random)
    case .set: setEdits(oracle, &random)
    case .counter:
      [.increment(counter: container.id, by: random.pick([1, 2, -1, 0, .max, .min, 1 << 33]))]
    }
  }
}

// MARK: - Text

extension EditMaker {
  private mutating func textEdits(_ oracle: Oracle, _ random: inout SplitMix64) -> [Edit] {
    let text = oracle.text(container.id, in: version)
    let seams = seams(in: oracle.visibleScalars(of: container.id, in: version), oracle)
    let position =
      !seams.isEmpty && random.chance(40)
      ? random.pick(seams) : place(in: text.count, &random)
    switch random.weighted(text.count > profile.textLength ? [4, 1, 5, 5, 2] : [6, 2, 2, 2, 2]) {
    case 0:
      return [insertion(at: position, &random)]
    case 1:
      cursor = position
      return (0..<random.within(2...4)).map { _ in
        .insertText(into: container.id, at: position, text: letters(1, &random))
      }
    case 2:
      return deletion(of: text, from: position, backward: false, &random)
    case 3:
      return deletion(of: text, from: position, backward: true, &random)
    default:
      let deletion = deletion(of: text, from: position, backward: random.chance(50), &random)
      return deletion + [insertion(at: deletion.isEmpty ? position : cursor, &random)]
    }
  }

  /// The places between items whose authors did not know of each other, where what is inserted
  /// next depends most on who has seen what.
  private func seams(in items: [Int], _ oracle: Oracle) -> [Int] {
    items.indices.dropFirst().filter { place in
      let (left, right) = (items[place - 1], items[place])
      return !oracle.hasSeen(left, right) && !oracle.hasSeen(right, left)
    }
  }

  /// Mostly where the author was, or where others are likely to be.
  private func place(in length: Int, _ random: inout SplitMix64) -> Int {
    switch random.below(10) {
    case 0..<4: min(cursor, length)
    case 4: 0
    case 5: length
    case 6: length / 2
    default: random.within(0...length)
    }
  }

  private mutating func insertion(at position: Int, _ random: inout SplitMix64) -> Edit {
    let length = random.within(
      random.chance(5) ? 1...8 * profile.runLength.upperBound : profile.runLength)
    let text = letters(length, &random)
    cursor = position + text.unicodeScalars.count
    return .insertText(into: container.id, at: position, text: text)
  }

  private mutating func deletion(
    of text: [Unicode.Scalar], from position: Int, backward: Bool, _ random: inout SplitMix64
  ) -> [Edit] {
    let length = random.chance(10) ? random.within(4...30) : random.within(1...4)
    let start = backward ? max(0, position - length) : position
    let end = min(text.count, backward ? position : position + length)
    guard start < end else { return [] }
    cursor = start
    let doomed = String(String.UnicodeScalarView(text[start..<end]))
    return [
      .deleteText(
        from: container.id, at: start, count: end - start, backward: backward, text: doomed)
    ]
  }

  /// Text of about this many scalars.
  private func letters(_ count: Int, _ random: inout SplitMix64) -> String {
    guard profile.isVaried, random.chance(40) else {
      let first = random.below(26)
      return String(
        (0..<count).map { Character(Unicode.Scalar(UInt8(97 + (first + $0) % 26))) })
    }
    return (0..<max(1, count / 2)).map { _ in random.pick(RandomContent.graphemes) }.joined()
  }
}

// MARK: - Maps, sets

extension EditMaker {
  private func mapEdits(_ oracle: Oracle, _ random: inout SplitMix64) -> [Edit] {
    let present = oracle.registers(of: container.id, in: version).keys.sorted().map(\.string)
    let key = random.chance(60) && !present.isEmpty ? random.pick(present) : randomKey(&random)
    let isPresent = present.contains { ExactString($0) == ExactString(key) }
    if isPresent || reachesHidden, random.chance(30) {
      return [.remove(map: container.id, key: key)]
    }
    return [.put(map: container.id, key: key, content: content(&random))]
  }

  private func randomKey(_ random: inout SplitMix64) -> String {
    random.pick(RandomContent.keys)
  }

  /// A value, or a container unless this one is nested deep.
  private func content(_ random: inout SplitMix64) -> Content {
    if container.depth < 3, random.chance(35) {
      return .container(random.pick(ContainerKind.allCases))
    }
    return .value(RandomContent.value(&random))
  }

  private func setEdits(_ oracle: Oracle, _ random: inout SplitMix64) -> [Edit] {
    let present = oracle.values(of: container.id, in: version)
      .sorted { describe($0) < describe($1) }
    if !present.isEmpty, random.chance(40) {
      return [.discard(set: container.id, value: random.pick(present))]
    }
    return [.add(set: container.id, value: RandomContent.value(&random))]
  }
}

// MARK: - Lists

extension EditMaker {
  private func listEdits(_ oracle: Oracle, _ random: inout SplitMix64) -> [Edit] {
    let all = oracle.elements(of: container.id, in: version)
    let shown = all.filter(\.isShown)
    let targets = reachesHidden ? all : shown
    let slots = oracle.sequence(of: container.id, in: version)
    let seams = seams(in: shown.map(\.slot), oracle)
    let index =
      !seams.isEmpty && random.chance(40) ? random.pick(seams) : random.within(0...shown.count)
    let left = index == 0 ? nil : shown[index - 1].slot
    let right = follower(of: left, in: slots)
    let place = ListPlace(
      left: left.map { oracle.events[$0].id }, right: right.map { oracle.events[$0].id })
    let choice = random.weighted(targets.isEmpty ? [1] : [4, 2, 3, 2])
    guard choice > 0 else {
      let contents = (0..<random.within(1...3)).map { _ in content(&random) }
      return [.insertElements(list: container.id, at: place, contents: contents)]
    }
    let element = oracle.events[random.pick(targets).element].id
    switch choice {
    case 1: return [.putElement(list: container.id, element: element, content: content(&random))]
    case 2: return [.moveElement(list: container.id, element: element, to: place)]
    default: return [.removeElement(list: container.id, element: element)]
    }
  }
}
