import Peernote

/// What an edit of front matter leaves as it is within a key: of a list the lines of the elements that
/// stay, with the remarks in and before them, and the remark at the end of a line.
extension FrontMatter {
  /// The line of a key that has another value now, with the remark at its end; `nil` if it has none, or
  /// takes more than one line.
  static func line(of entry: Entry, editedTo canonical: [String]) -> [String]? {
    guard entry.lines.count == 1, canonical.count == 1, let old = try? entry.content.node(of: "x")
    else { return nil }
    let line = entry.lines[0]
    for start in line.indices where line[start...].hasPrefix(" #") {
      let head = line[..<start]
      let pairs = try? YAMLMapping.pairs(in: Array((head + "\n").utf8)[...], firstLine: 1)
      guard let pairs, pairs.count == 1, (try? pairs[0].content.node(of: "x")) == old else {
        continue
      }
      let spaces = head.reversed().prefix { $0 == " " }.count
      return [canonical[0] + line[line.index(start, offsetBy: -spaces)...]]
    }
    return nil
  }

  /// The lines of a key whose list is another one now: those of the elements that it still has as
  /// they came, the others in the canonical form.
  ///
  /// Remarks before an element that went stay.
  ///
  /// - Parameters:
  ///   - lines: the lines that came in.
  ///   - canonical: the lines of the list in the canonical form.
  ///   - keepsOrder: whether the order of the elements says something.
  /// - Returns: `nil` if one of them is no list with lines of its own for each element.
  static func lines(
    _ lines: [String], editedTo canonical: [String], keepsOrder: Bool
  ) -> [String]? {
    guard var old = BlockList(lines), let new = BlockList(canonical) else { return nil }
    var places: [Int?] = []
    var left = Array(old.elements.indices)
    for element in new.elements {
      let found = left.firstIndex { old.elements[$0].node.isSame(as: element.node) }
      places.append(found.map { left.remove(at: $0) })
    }
    old.moveRemarks(from: Set(left))
    var elements = zip(places, new.elements).map { place, element in
      (
        place: place ?? .max,
        lines: place.map { old.elements[$0].allLines } ?? old.indented(element, new)
      )
    }
    if !keepsOrder { elements.sort { $0.place < $1.place } }
    return old.head + elements.flatMap(\.lines) + old.after
  }
}

/// The lines of a key that leads to a list in which each element begins on a line of its own.
private struct BlockList {
  struct Element {
    /// Blank lines and remarks before it.
    var before: [String]
    var lines: [String]
    var node: Node

    var allLines: [String] { before + lines }
  }

  /// The line of the key.
  let head: [String]
  private(set) var elements: [Element] = []
  /// Blank lines and remarks after the last element.
  private(set) var after: [String] = []
  private var indentation = 0

  init?(_ lines: [String]) {
    guard let first = lines.first else { return nil }
    head = [first]
    var own: [[String]] = []
    var before: [[String]] = []
    for line in lines.dropFirst() {
      let indentation = line.prefix { $0 == " " }.count
      let content = line.dropFirst(indentation)
      let isElement = content == "-" || content == "-\r" || content.hasPrefix("- ")
      if own.isEmpty, isElement { self.indentation = indentation }
      if isElement, indentation == self.indentation {
        own.append([line])
        before.append(after)
        after = []
      } else if content.isEmpty || content == "\r" || content.first == "#" {
        after.append(line)
      } else if !own.isEmpty, indentation > self.indentation {
        own[own.count - 1] += after + [line]
        after = []
      } else {
        return nil
      }
    }
    for (before, lines) in zip(before, own) {
      let text = (["x:"] + lines).map { $0 + "\n" }.joined()
      guard let pairs = try? YAMLMapping.pairs(in: Array(text.utf8)[...], firstLine: 1),
        pairs.count == 1, case .sequence(let found) = pairs[0].content, found.count == 1,
        let node = try? found[0].node(of: "x")
      else { return nil }
      elements.append(Element(before: before, lines: lines, node: node))
    }
    if elements.isEmpty { return nil }
  }

  /// Puts the remarks before some elements to what follows.
  mutating func moveRemarks(from gone: Set<Int>) {
    var carried: [String] = []
    for index in elements.indices {
      carried += elements[index].before
      elements[index].before = []
      if gone.contains(index) { continue }
      elements[index].before = carried
      carried = []
    }
    after = carried + after
  }

  /// The lines of an element of another list, indented as those of this one.
  func indented(_ element: Element, _ other: BlockList) -> [String] {
    let spaces = String(repeating: " ", count: indentation)
    return element.lines.map { spaces + $0.dropFirst(other.indentation) }
  }
}
