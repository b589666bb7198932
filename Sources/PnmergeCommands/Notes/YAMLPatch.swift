import Peernote

/// A YAML text whose lines all end, edited to say something else: what says the same still stays as
/// it came, with its quotes and remarks, at any depth.
///
/// A value is written where the old one stood. The items of a map or list, in blocks or in brackets,
/// keep what is between them; remarks before an item that goes stay. What cannot be edited so is
/// written anew, in blocks. Whoever calls this reads the result and compares.
struct YAMLPatch {
  /// A key of a map with its value, or an element of a list.
  fileprivate struct Item {
    /// Where its key or hyphen begins.
    var start: Int
    /// Where it ends: with its last line, but in brackets with its content.
    var stop: Int
    /// The key with a colon, or the hyphen; nothing for an element in brackets.
    var head: String
    var value: YAMLMapping.Node
  }

  fileprivate struct Block {
    var items: [Item] = []
    var isInBrackets = false
    /// Where the remarks before the first item begin.
    var start = 0
    /// Whether the first item stands behind something on its line.
    var isInline = false
    /// What stands before a new item: a comma, or a line end and spaces.
    var separator = ", "
    /// Whether an element is text without quotes that looks like a number.
    var holdsPlainNumber = false
  }

  /// A place in the result, and the item that stands there; `nil` for a new one.
  typealias Slot = (item: Int?, text: String)

  /// The pairs of the outermost map.
  let pairs: [YAMLMapping.Pair]
  /// The text, after the line feed of the line before it.
  private let source: [Unicode.Scalar]
  private let lineEnd: String
  private var root = Block()

  // MARK: The outermost map

  /// Takes a text whose new lines get an end; `nil` if it is no YAML, ends before its last line, or
  /// has a key that does not begin a line.
  init?(_ lines: [String], lineEnd: String) {
    let text = lines.withLineFeeds
    let bytes = Array(text.utf8)[...]
    guard
      let pairs = try? YAMLMapping.pairs(in: bytes, firstIndex: 1, allowingRepeats: true),
      !lines.contains(where: Self.isDocumentEnd)
    else { return nil }
    self.init(text, pairs, lineEnd)
    guard pairs.allSatisfy({ source[$0.keyRange.lowerBound - 1] == "\n" }) else { return nil }
  }

  /// Takes a text of which each pair is read for itself; what cannot be read of one says nothing.
  init(separately lines: [String], lineEnd: String) {
    var parts: [(start: Int, lines: [String])] = []
    var start = 1
    for line in lines {
      if Self.isKey(line) {
        parts.append((start, [line]))
      } else if !parts.isEmpty {
        parts[parts.count - 1].lines.append(line)
      }
      start += line.unicodeScalars.count + 1
    }
    let pairs = parts.map { start, lines in
      if let pair = YAMLMapping.pair(in: lines.withLineFeeds, firstIndex: start) { return pair }
      let name = lines[0].unicodeScalars.prefix { $0 != ":" }
      let end = lines.lastIndex { !Self.isRemark($0) } ?? 0
      let count = lines[...end].reduce(0) { $0 + $1.unicodeScalars.count + 1 }
      let nothing = YAMLScalar(text: "", isPlain: true, tag: Note.canonicalTag, line: 1)
      return YAMLMapping.Pair(
        key: String(name), keyRange: start..<start + name.count,
        value: .init(content: .scalar(nothing), range: start + name.count..<start + count), line: 1)
    }
    self.init(lines.withLineFeeds, pairs, lineEnd)
  }

  private init(_ text: String, _ pairs: [YAMLMapping.Pair], _ lineEnd: String) {
    self.pairs = pairs
    self.lineEnd = lineEnd
    source = ["\n"] + Array(text.unicodeScalars)
    root = block(of: .mapping(pairs), at: 1, behind: 0)
  }

  /// The text with these items instead of its own.
  func text(_ slots: [Slot]) -> String {
    String(joined(slots, in: root, from: 0, to: source.count).dropFirst())
  }

  func text(of place: Int) -> String { part(root.items[place].start, root.items[place].stop) }

  /// The lines of a pair that leads to something else now, written anew.
  func text(of place: Int, anew node: DocumentNode) -> String {
    written(root.items[place].head, node, in: root) ?? ""
  }

  /// The lines of a pair that leads to something else now; `nil` where they would not say that.
  ///
  /// The order of a list's elements says something if `keepsOrder`.
  func text(of place: Int, editedTo node: DocumentNode, keepsOrder: Bool) -> String? {
    let item = root.items[place]
    // Blank lines after it may belong to a text.
    let next = place + 1 < root.items.count ? root.items[place + 1].start : source.count
    guard let edited = text(of: item, in: root, editedTo: node, keepsOrder: keepsOrder),
      let result = YAMLMapping.pair(in: edited + part(item.stop, next))?.node
    else { return nil }
    let isRight =
      result.isSame(as: node)
      || !keepsOrder && result.converted(to: .set) == node.converted(to: .set)
    return isRight ? edited : nil
  }

  /// Whether a line begins a key of the outermost map.
  private static func isKey(_ line: String) -> Bool {
    guard let first = line.utf8.first else { return false }
    return !"{ ,?-\t".utf8.contains(first) && !isRemark(line)
  }

  private static func isRemark(_ line: String) -> Bool {
    let content = line.utf8.drop { " \t\r".utf8.contains($0) }
    return content.isEmpty || line.utf8.first == UInt8(ascii: "#")
  }

  /// Whether a line ends the whole of a YAML document; nothing can be written after it.
  private static func isDocumentEnd(_ line: String) -> Bool {
    line.hasPrefix("...") && line.dropFirst(3).allSatisfy(\.isWhitespace)
  }
}

// MARK: - Editing

extension YAMLPatch {
  /// An item that is to say something else; `nil` if it has to be written anew.
  private func text(
    of item: Item, in block: Block, editedTo new: DocumentNode, keepsOrder: Bool = true
  ) -> String? {
    guard let old = try? item.value.node(of: "").sorted else { return nil }
    if old == new.sorted { return part(item.start, item.stop) }
    if case (.scalar(let scalar), .value(let value)) = (item.value.content, new) {
      let space = item.value.range.isEmpty ? " " : ""
      return part(item.start, item.value.range.lowerBound) + space
        + block.text(of: value, isPlain: scalar.isPlainNumber)
        + part(end(of: item.value), item.stop)
    }
    guard let inner = item.value.inner, source.indices.contains(inner) else { return nil }
    let block = self.block(of: item.value.content, at: inner, behind: item.start)
    guard let wanted = Self.wanted(new, old, item.value.content, in: block), !wanted.isEmpty
    else { return nil }
    var slots: [Slot] = []
    for (place, head, node) in wanted {
      let edited = place.flatMap { text(of: block.items[$0], in: block, editedTo: node) }
      guard let text = edited ?? written(head, node, in: block) else { return nil }
      slots.append((place, text))
    }
    if !keepsOrder { slots.sort { $0.item ?? .max < $1.item ?? .max } }
    return joined(slots, in: block, from: item.start, to: item.stop)
  }

  /// What is to stand in a block, and which item each of it is; `nil` if that is of another kind.
  private static func wanted(
    _ new: DocumentNode, _ old: DocumentNode, _ content: YAMLMapping.Content, in block: Block
  ) -> [(item: Int?, head: String, node: DocumentNode)]? {
    switch (new, old, content) {
    case (.list(let nodes), .list(let known), _):
      let head = block.isInBrackets ? "" : "-"
      return zip(partners(of: nodes.map(\.sorted), among: known), nodes).map { ($0, head, $1) }
    case (.map(var left), _, .mapping(let pairs)):
      var wanted: [(item: Int?, head: String, node: DocumentNode)] = []
      for (place, pair) in pairs.enumerated() {
        let index = left.firstIndex { $0.key.utf8.elementsEqual(pair.key.utf8) }
        guard let index else { continue }
        wanted.append((place, block.items[place].head, left.remove(at: index).node))
      }
      return wanted
        + left.map { entry in
          (nil, block.closed(YAMLScalar.plainOrQuoted(entry.key)) + ":", entry.node)
        }
    case (_, _, _): return nil
    }
  }

  /// For each wanted element the known one that it is; where no other map or list is as like, the next
  /// one that is left.
  private static func partners(of nodes: [DocumentNode], among known: [DocumentNode]) -> [Int?] {
    func isCollection(_ node: DocumentNode) -> Bool {
      if case .value = node { false } else { true }
    }
    var partners = ContentMatching.exact.partners(from: known, to: nodes)
    var left = Set(known.indices).subtracting(partners.compactMap(\.self)).sorted()[...]
    var last = -1
    for (index, node) in nodes.enumerated() {
      if partners[index] == nil, isCollection(node) {
        left = left.drop { $0 < last || !isCollection(known[$0]) }
        partners[index] = left.popFirst()
      }
      last = partners[index] ?? last
    }
    return partners
  }

  /// An item written anew; `nil` for a map or list in brackets.
  private func written(_ head: String, _ node: DocumentNode, in block: Block) -> String? {
    guard case .value(let value) = node else {
      return block.isInBrackets
        ? nil : head + YAMLWriter.text(of: node, separator: block.separator, isElement: head == "-")
    }
    let text = block.text(of: value, isPlain: block.holdsPlainNumber)
    return head.isEmpty ? text : head + " " + text
  }
}

extension YAMLPatch.Block {
  /// A value as a scalar, as a plain number if others like it are.
  fileprivate func text(of value: Value, isPlain: Bool) -> String {
    closed(YAMLScalar.text(of: value, asPlainNumber: isPlain))
  }

  /// Text of a scalar, in quotes where a comma or a bracket would end it.
  fileprivate func closed(_ text: String) -> String {
    !isInBrackets || text.first == "\"" || !text.contains(where: { ",[]{}".contains($0) })
      ? text : YAMLScalar.doubleQuoted(text)
  }
}

// MARK: - Places

extension YAMLPatch {
  /// The items of a collection, the first of which stands at a place, and what leads to it at
  /// another one.
  private func block(
    of content: YAMLMapping.Content, at inner: Int, behind outer: Int
  ) -> Block {
    var block = Block()
    block.isInBrackets = "[{".unicodeScalars.contains(source[inner - 1])
    func add(_ head: String, _ start: Int, _ value: YAMLMapping.Node) {
      let end = end(of: value)
      let stop = block.isInBrackets ? end : lineStop(end)
      block.items.append(Item(start: start, stop: stop, head: head, value: value))
    }
    switch content {
    case .scalar: break
    case .mapping(let pairs):
      for pair in pairs {
        let key = source[pair.keyRange.clamped(to: source.indices)].text
        add(key + ":", pair.keyRange.lowerBound, pair.value)
      }
    case .sequence(let elements):
      // Without an indentation the first hyphen is passed already.
      var place = block.isInBrackets || source[inner] == "-" ? inner : inner - 1
      for element in elements {
        if block.isInBrackets {
          add("", element.range.lowerBound, element)
        } else {
          place = token(after: place)
          add("-", place, element)
          place = end(of: element)
        }
        if case .scalar(let scalar) = element.content, scalar.isPlainNumber {
          block.holdsPlainNumber = true
        }
      }
    }
    let first = block.items.first?.start ?? inner
    block.start = block.isInBrackets ? first : min(lineStop(outer), first)
    block.isInline = block.start == first
    if !block.isInBrackets {
      let column = source[..<first].reversed().prefix { $0 != "\n" }.count
      block.separator = lineEnd + String(repeating: " ", count: column)
    }
    return block
  }

  /// A part of the text with other items in a block.
  private func joined(_ slots: [Slot], in block: Block, from start: Int, to end: Int) -> String {
    let kept = Set(slots.compactMap(\.item))
    // What stands before the items that stay, and the remarks before those that went, which end
    // their own lines: the end of the line that went goes.
    var gaps: [Int: String] = [:]
    var remarks = ""
    var place = block.start
    for (number, item) in block.items.enumerated() {
      remarks += part(place, item.start).dropFirst(remarks.isEmpty ? 0 : 1)
      place = item.stop
      if kept.contains(number) || block.isInBrackets {
        gaps[number] = remarks
        remarks = ""
      } else {
        remarks.removeLast(remarks.reversed().prefix { !$0.isNewline }.count)
      }
    }
    var result = part(start, block.start)
    for (number, slot) in slots.enumerated() {
      let gap = slot.item.flatMap { gaps[$0] } ?? ""
      if number == 0, block.isInline {
        result += block.isInBrackets ? "" : gap.drop(while: \.isWhitespace)
      } else {
        result += gap.isEmpty ? block.separator : gap
      }
      result += slot.text
    }
    let rest = remarks + part(place, end).dropFirst(remarks.isEmpty ? 0 : 1)
    return result + (place < end ? rest : String(rest.dropLast()))
  }

  /// Where content ends, without blank lines after it.
  private func end(of node: YAMLMapping.Node) -> Int {
    let text = source[node.range.clamped(to: source.indices)]
    return (text.lastIndex { !$0.properties.isWhitespace } ?? text.startIndex - 1) + 1
  }

  /// Where what stands on a line ends, without its line end.
  private func lineStop(_ place: Int) -> Int {
    let feed = source[place...].firstIndex(of: "\n") ?? source.count
    return feed > place && source[feed - 1] == "\r" ? feed - 1 : feed
  }

  /// The next place that holds neither white space nor a remark.
  private func token(after place: Int) -> Int {
    var place = place
    while place < source.count, source[place] == "#" || source[place].properties.isWhitespace {
      place = source[place] == "#" ? lineStop(place) : place + 1
    }
    return place
  }

  private func part(_ start: Int, _ end: Int) -> String { source[start..<max(start, end)].text }
}

extension ArraySlice<Unicode.Scalar> {
  fileprivate var text: String { String(String.UnicodeScalarView(self)) }
}
