import Peernote
import PeernoteJSON

/// What is said of a conflict: in reports, for programs, in reviews and on pages.
extension Conflict {
  /// Competing values that a sentence names before it counts the rest.
  private static let shownSides = 10
  /// How much of each a sentence shows, in characters.
  static let sentenceLength = 60

  /// Path and line: `/body:12`.
  var place: String {
    line.map { "\(path.visible):\($0)" } ?? path.visible
  }

  /// What each side is called: its change, and which of several versions of that.
  var sideNames: [String] {
    var counts: [ChangeID: Int] = [:]
    return sides.map { side in
      counts[side.change, default: 0] += 1
      let count = counts[side.change] ?? 1
      return count > 1 ? "\(side.change)#\(count)" : "\(side.change)"
    }
  }

  /// What happened, in a clause.
  var what: String { words.what }

  /// What kind it is, in a word, and what happened.
  var words: (kind: String, what: String) {
    switch kind {
    case .register: ("value", "set on both sides")
    case .passage: ("passage", "written against each other")
    case .adjacent: ("neighbours", "changed next to each other")
    case .deleteEdit: ("deletion", "deleted on one side, changed on the other")
    case .sameIdentity: ("double insertion", "inserted on both sides with one identity")
    case .sameContent: ("double insertion", "equal elements inserted on both sides")
    case .moved: ("move", "moved on one side, removed, edited or moved on the other")
    }
  }

  /// Who had what and when, in one sentence; readings of a passage in what is around it.
  func sentence(_ invocation: Invocation, around: PassageSentence = ("", "")) -> String {
    let contents = previews(limit: Self.sentenceLength, around: around)
    switch kind {
    case .adjacent: return "\(what): \(contents[0])"
    case .sameIdentity, .sameContent:
      let sides = zip(sides, contents).map { side, content in
        "\(side.path.map { "\($0.visible) " } ?? "")\(content) (\(side.signature(invocation)))"
      }
      return "inserted on both sides: " + enumerated(sides)
    case .moved:
      let sides = zip(sides, contents).map { side, content in
        if side.node == nil { return "removed by \(side.signature(invocation))" }
        if side.isShortened { return "left as \(content) by \(side.signature(invocation))" }
        let place = side.path.map { "at \($0.visible)" } ?? "on line \(side.line ?? 1)"
        let deed = "\(side.isMoved ? "moved" : "edited") by \(side.signature(invocation))"
        return side.isAbsent ? "\(deed) \(place)" : "kept \(content) \(place) (\(deed))"
      }
      return sides.joined(separator: ", ")
    case .register, .deleteEdit, .passage:
      var parts = zip(others, contents.dropFirst()).prefix(Self.shownSides).map { side, content in
        side.node == nil
          ? "deleted by \(side.signature(invocation))"
          : "also had \(content) (\(side.signature(invocation)))"
      }
      if parts.count < others.count { parts.append("and \(others.count - parts.count) more") }
      return (["kept \(contents[0]) (\(kept.signature(invocation)))"] + parts)
        .joined(separator: ", ")
    }
  }

  /// What a passage is to read: if all readings are whole lines, the last line ends there, too.
  func endingLines(_ content: DocumentNode) -> DocumentNode {
    let readings = sides.map { $0.node?.string }
    guard let text = content.string, !text.isEmpty, !text.hasSuffix("\n"),
      readings.contains(where: { $0?.isEmpty == false }),
      readings.allSatisfy({ $0.map { $0.isEmpty || $0.hasSuffix("\n") } ?? false })
    else { return content }
    return .text(text + "\n")
  }

  /// How many characters of each content a list of conflicts shows.
  static let listedLength = 240

  /// The contents of all sides and, if that is known, what stood there before as one more, each on one
  /// line, cut; texts of which some are longer begin at most half as many characters before they
  /// differ.
  ///
  /// Readings of a passage stand in the sentence around it, and front matter as people write it. What
  /// the sides read differs between them, what stood there before from them. O(contents).
  func previews(
    limit: Int, around: PassageSentence = ("", ""), before: EarlierContent = .unknown
  ) -> [String] {
    func told(_ node: DocumentNode?) -> DocumentNode? {
      guard case .text(let text)? = node else { return node }
      return .text(
        isOfFrontMatter ? FrontMatter.readable(text) : around.head + text + around.tail)
    }
    let sides = sides.map { told($0.node) }
    let earlier = told(before.node).flatMap { $0.readableText.isEmpty ? nil : $0 }
    let shown = sides + (before.isKnown ? [earlier] : [])
    let nodes = shown.compactMap(\.self)
    let texts = nodes.compactMap(\.string)
    guard texts.count > 1, texts.count == nodes.count, texts.contains(where: { $0.count > limit })
    else {
      return shown.map { $0?.preview(limit: limit) ?? "nothing" }
    }
    let written = sides.compactMap(\.?.string)
    let all = texts.sharedStart
    let common = written.count > 1 ? written.sharedStart : all
    return shown.enumerated().map { index, node in
      guard let text = node?.string else { return "nothing" }
      let start = (index < sides.count ? common : all).cutStart(limit / 2)
      return quoted((start > 0 ? "…" : "") + text.dropFirst(start), limit: limit)
    }
  }
}

/// The rest of the sentence in which a passage stands; nothing for all else.
typealias PassageSentence = (head: String, tail: String)

extension TextsByLine {
  mutating func sentence(around conflict: Conflict) -> PassageSentence {
    conflict.scalars.flatMap { lines(conflict.path)?.sentence(around: $0) } ?? ("", "")
  }
}

extension [String] {
  /// What all of these begin with, of which there is one at least.
  fileprivate var sharedStart: Substring {
    dropFirst().reduce(self[0][...]) { start, text in
      start.prefix(zip(start, text).prefix { $0 == $1 }.count)
    }
  }
}

extension Substring {
  /// How much of it is left out where only its last characters are shown, from a word on.
  fileprivate func cutStart(_ limit: Int) -> Int {
    let context = suffix(limit)
    if context.startIndex == startIndex { return 0 }
    return count - context.drop { !$0.isNewline && $0 != " " }.dropFirst().count
  }
}

extension Console {
  /// Says which values were left out, since others stand in their places.
  func report(_ dropped: [DroppedValue]) throws {
    for value in dropped {
      try report("  \(value.path.visible) is \(value.kept.preview), not \(value.dropped.preview)")
    }
  }
}
