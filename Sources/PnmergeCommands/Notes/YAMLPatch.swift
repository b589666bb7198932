import Peernote

/// The lines of a key of YAML, edited to say something else: what says the same still stays as it came,
/// with its quotes and remarks, at any depth.
///
/// A line of a map or list in blocks is one key or element; a map or list in brackets on one line is
/// edited between its commas. Where neither is so, there is no result, and the whole is written anew.
/// Whoever calls this reads the result and compares.
enum YAMLPatch {
  /// The lines of a key, as they came, with what it leads to now; `nil` if they cannot be edited, or
  /// would say something else.
  ///
  /// The order of a list's elements says something if `keepsOrder`. O(lines · depth), but for lists
  /// O(elements²).
  static func lines(_ lines: [String], editedTo node: DocumentNode, keepsOrder: Bool = true)
    -> [String]?
  {
    let source = lines.map { $0.utf8.last == 0x0D ? String($0.unicodeScalars.dropLast()) : $0 }
    guard let edited = item(source, editedTo: node, keepsOrder: keepsOrder),
      let result = YAMLMapping.pair(in: edited)?.node
    else { return nil }
    if keepsOrder { return result.isSame(as: node) ? edited : nil }
    guard case .list(let found) = result, case .list(let wanted) = node else { return nil }
    return Set(found) == Set(wanted) && found.count == wanted.count ? edited : nil
  }

  private static func item(
    _ lines: [String], editedTo node: DocumentNode, keepsOrder: Bool = true
  ) -> [String]? {
    guard let pair = YAMLMapping.pair(in: lines), let old = pair.node else { return nil }
    if old.isSame(as: node) { return lines }
    if lines.count == 1 {
      switch (pair.content, node) {
      case (.scalar(let scalar), .value(let value)):
        return line(lines[0], of: pair.key, old, editedTo: text(value, like: [scalar])).map { [$0] }
      case (.sequence, .list), (.mapping, .map):
        return brackets(lines[0], of: pair, old, editedTo: node, keepsOrder).map { [$0] }
      case (_, _): return nil
      }
    }
    // What follows the key stands on lines of its own.
    guard case .scalar(let first)? = YAMLMapping.pair(in: [lines[0]])?.content, first.isNull
    else { return nil }
    let rest = Array(lines.dropFirst())
    switch (pair.content, node) {
    case (.mapping, .map(let entries)): return map(rest, editedTo: entries).map { [lines[0]] + $0 }
    case (.sequence, .list(let nodes)):
      return list(rest, editedTo: nodes, keepsOrder).map { [lines[0]] + $0 }
    case (_, _): return nil
    }
  }

  // MARK: On one line

  /// Where a key ends with which a line begins.
  private static func end(of key: String, in line: String) -> String.Index? {
    line.indices.first { index in
      line[index] == ":" && YAMLMapping.pair(in: [line[..<index] + ":"])?.key == key
    }
  }

  /// The parts of a line `key: content # remark`.
  private struct Parts {
    var key: Substring
    var spaces: String
    var content: Substring
    var remark: Substring

    init?(_ line: String, _ key: String, _ node: DocumentNode) {
      guard let end = YAMLPatch.end(of: key, in: line) else { return nil }
      let rest = line[line.index(after: end)...]
      self.key = line[..<end]
      spaces = String(rest.prefix { $0 == " " })
      let content = rest.drop { $0 == " " }
      let remarks = content.indices.filter { content[$0...].hasPrefix(" #") }
      let start = remarks.first { start in
        YAMLMapping.pair(in: [String(line[..<start])])?.node == node
      }
      let text = content[..<(start ?? content.endIndex)]
      let length = text.reversed().drop { $0 == " " }.count
      self.content = text.prefix(length)
      remark = content[self.content.endIndex...]
    }
  }

  private static func line(
    _ line: String, of key: String, _ old: DocumentNode, editedTo text: String
  ) -> String? {
    guard let parts = Parts(line, key, old) else { return nil }
    return parts.key + ":" + (parts.spaces.isEmpty ? " " : parts.spaces) + text + parts.remark
  }

  /// A value as text, without quotes where others like it have none.
  private static func text(_ value: Value, like others: [YAMLScalar]) -> String {
    if case .string(let text) = value, others.contains(where: \.isPlainNumber),
      YAMLScalar(text: text, isPlain: true, tag: nil, line: 0).isPlainNumber
    {
      return text
    }
    return YAMLScalar.text(of: value)
  }

  /// A list or map in brackets.
  private static func brackets(
    _ line: String, of pair: YAMLMapping.Pair, _ old: DocumentNode, editedTo node: DocumentNode,
    _ keepsOrder: Bool
  ) -> String? {
    guard let parts = Parts(line, pair.key, old), let first = parts.content.first,
      let last = parts.content.last, ["[]", "{}"].contains("\(first)\(last)"),
      let items = commaSeparated(parts.content.dropFirst().dropLast())
    else { return nil }
    let texts: [String]?
    switch (pair.content, node) {
    case (.sequence(let elements), .list(let nodes)):
      texts = self.elements(items, elements, editedTo: nodes, keepsOrder)
    case (_, .map(let entries)): texts = self.entries(items, editedTo: entries)
    case (_, _): texts = nil
    }
    guard let texts, !texts.isEmpty else { return nil }
    let space = parts.content.dropFirst().first == " " ? " " : ""
    let content = "\(first)\(space)\(texts.joined(separator: ", "))\(space)\(last)"
    return parts.key + ":" + (parts.spaces.isEmpty ? " " : parts.spaces) + content + parts.remark
  }

  private static func elements(
    _ items: [String], _ elements: [YAMLMapping.Content], editedTo nodes: [DocumentNode],
    _ keepsOrder: Bool
  ) -> [String]? {
    guard items.count == elements.count else { return nil }
    let scalars = elements.compactMap { element -> YAMLScalar? in
      if case .scalar(let scalar) = element { scalar } else { nil }
    }
    var left = Array(elements.indices)
    var result: [(place: Int, text: String)] = []
    for node in nodes {
      let known = left.firstIndex { (try? elements[$0].node(of: "x"))?.isSame(as: node) ?? false }
      if let known {
        let place = left.remove(at: known)
        result.append((place, items[place]))
      } else if case .value(let value) = node {
        result.append((.max, inBrackets(text(value, like: scalars))))
      } else {
        return nil
      }
    }
    if !keepsOrder { result.sort { $0.place < $1.place } }
    return result.map(\.text)
  }

  private static func entries(_ items: [String], editedTo entries: [DocumentNode.MapEntry])
    -> [String]?
  {
    var left = entries
    var result: [String] = []
    for item in items {
      guard let key = YAMLMapping.pair(in: [item])?.key else { return nil }
      guard let index = left.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
        continue
      }
      guard let edited = self.item([item], editedTo: left.remove(at: index).node) else {
        return nil
      }
      result.append(edited[0])
    }
    for entry in left {
      guard case .value(let value) = entry.node else { return nil }
      let key = inBrackets(YAMLScalar.plainOrQuoted(entry.key))
      result.append("\(key): \(inBrackets(YAMLScalar.text(of: value)))")
    }
    return result
  }

  /// Text of a scalar where a comma or a bracket would end it.
  private static func inBrackets(_ text: String) -> String {
    text.first == "\"" || !text.contains(where: { ",[]{}".contains($0) })
      ? text : YAMLScalar.doubleQuoted(text)
  }

  /// The parts between commas that stand neither in quotes nor in further brackets; `nil` if quotes or
  /// brackets are open at the end.
  private static func commaSeparated(_ text: Substring) -> [String]? {
    var parts: [String] = [""]
    var depth = 0
    var quote: Character?
    var isEscaped = false
    // A quote opens where a scalar begins; a doubled one stands for itself.
    var isAtStart = true
    var closed: Character?
    for character in text {
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if character == "\\", open == "\"" {
          isEscaped = true
        } else if character == open {
          (quote, closed) = (nil, open)
        }
      } else if character == ",", depth == 0 {
        parts.append("")
        (isAtStart, closed) = (true, nil)
        continue
      } else if "\"'".contains(character), isAtStart || closed == "'" && character == "'" {
        (quote, isAtStart) = (character, false)
      } else {
        if "[{".contains(character) { depth += 1 }
        if "]}".contains(character) { depth -= 1 }
        if character != " " { isAtStart = ",[{:".contains(character) }
        closed = nil
      }
      parts[parts.count - 1].append(character)
    }
    let trimmed = parts.map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    return depth == 0 && quote == nil ? trimmed.filter { !$0.isEmpty } : nil
  }

  // MARK: In blocks

  /// Lines cut into those of each key or element.
  private struct Block {
    struct Item {
      /// Blank lines and remarks before it.
      var before: [String]
      /// Its lines, without the indentation that all have.
      var lines: [String]
    }

    private(set) var items: [Item] = []
    /// Blank lines and remarks after the last one.
    private(set) var after: [String] = []
    let indentation: String

    init?(_ lines: [String], startsItem: (Substring) -> Bool) {
      guard let first = lines.first(where: { !Self.isRemark($0) }) else { return nil }
      let width = first.prefix { $0 == " " }.count
      indentation = String(repeating: " ", count: width)
      for line in lines {
        if Self.isRemark(line) {
          after.append(line)
          continue
        }
        guard line.hasPrefix(indentation) else { return nil }
        let content = line.dropFirst(width)
        if content.first != " ", startsItem(content) {
          items.append(Item(before: after, lines: [String(content)]))
        } else if items.isEmpty {
          return nil
        } else {
          items[items.count - 1].lines +=
            after.map { Self.dedented($0, by: width) } + [String(content)]
        }
        after = []
      }
    }

    /// A remark may stand further to the left than what it is about.
    private static func dedented(_ line: String, by width: Int) -> String {
      String(line.dropFirst(min(width, line.prefix { $0 == " " }.count)))
    }

    private static func isRemark(_ line: String) -> Bool {
      let content = line.drop { $0 == " " || $0 == "\t" }
      return content.isEmpty || content.first == "#"
    }

    func indented(_ lines: [String]) -> [String] {
      lines.map { $0.isEmpty ? $0 : indentation + $0 }
    }
  }

  private static func map(_ lines: [String], editedTo entries: [DocumentNode.MapEntry]) -> [String]?
  {
    guard !entries.isEmpty,
      let block = Block(lines, startsItem: { $0 != "-" && !$0.hasPrefix("- ") })
    else { return nil }
    var left = entries
    var result: [String] = []
    for item in block.items {
      result += item.before
      guard let key = YAMLMapping.pair(in: item.lines)?.key else { return nil }
      guard let index = left.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
        continue
      }
      let node = left.remove(at: index).node
      var edited = self.item(item.lines, editedTo: node) ?? []
      if edited.isEmpty {
        edited = YAMLWriter.lines(key, node)
        // The key stays as it was written.
        if let end = end(of: key, in: item.lines[0]) {
          let rest = edited[0].dropFirst(YAMLScalar.plainOrQuoted(key).count)
          edited[0] = String(item.lines[0][..<end] + rest)
        }
      }
      result += block.indented(edited)
    }
    for entry in left { result += block.indented(YAMLWriter.lines(entry.key, entry.node)) }
    return result + block.after
  }

  private static func list(
    _ lines: [String], editedTo nodes: [DocumentNode], _ keepsOrder: Bool
  ) -> [String]? {
    guard let block = Block(lines, startsItem: { $0 == "-" || $0.hasPrefix("- ") }) else {
      return nil
    }
    var known: [DocumentNode] = []
    var scalars: [YAMLScalar] = []
    for item in block.items {
      guard case .sequence(let found)? = YAMLMapping.pair(in: ["x:"] + item.lines)?.content,
        found.count == 1, let node = try? found[0].node(of: "x")
      else { return nil }
      known.append(node)
      if case .scalar(let scalar) = found[0] { scalars.append(scalar) }
    }
    if nodes.isEmpty { return nil }
    let places = partners(of: nodes, among: known)
    let kept = Set(places.compactMap(\.self))
    var remarks: [[String]] = []
    // Remarks before an element that went stay.
    var carried: [String] = []
    for (index, item) in block.items.enumerated() {
      carried += item.before
      remarks.append(kept.contains(index) ? carried : [])
      if kept.contains(index) { carried = [] }
    }
    var result: [(place: Int, lines: [String])] = []
    for (node, place) in zip(nodes, places) {
      var new = YAMLWriter.lines("x", .list([node])).dropFirst().map { String($0.dropFirst(2)) }
      if case .value(let value) = node { new = ["- " + text(value, like: scalars)] }
      guard let place else {
        result.append((.max, block.indented(new)))
        continue
      }
      let own = block.items[place].lines
      let edited = known[place].isSame(as: node) ? own : element(own, editedTo: node) ?? new
      result.append((place, remarks[place] + block.indented(edited)))
    }
    if !keepsOrder { result.sort { $0.place < $1.place } }
    return result.flatMap(\.lines) + carried + block.after
  }

  /// The lines of a map, or of what stands in brackets, that is an element of a list in blocks; `nil` if
  /// it cannot be edited.
  private static func element(_ lines: [String], editedTo node: DocumentNode) -> [String]? {
    if lines.count == 1, lines[0].hasPrefix("- {") || lines[0].hasPrefix("- [") {
      return item(["x:" + lines[0].dropFirst()], editedTo: node).map { ["-" + $0[0].dropFirst(2)] }
    }
    guard lines[0].hasPrefix("- "), case .map(let entries) = node,
      var edited = map([" " + lines[0].dropFirst()] + lines.dropFirst(), editedTo: entries),
      edited[0].hasPrefix("  ")
    else { return nil }
    edited[0] = "-" + edited[0].dropFirst()
    return edited
  }

  /// For each wanted element the known one that it is: the same, or for a map or list another one that
  /// stands between the same neighbours.
  private static func partners(of nodes: [DocumentNode], among known: [DocumentNode]) -> [Int?] {
    var left = Array(known.indices)
    var result: [Int?] = nodes.map { node in
      left.firstIndex { known[$0].isSame(as: node) }.map { left.remove(at: $0) }
    }
    func holdsOthers(_ node: DocumentNode) -> Bool {
      if case .map = node { return true }
      if case .list = node { return true }
      return false
    }
    for index in result.indices where result[index] == nil && holdsOthers(nodes[index]) {
      let before = result[..<index].last.flatMap(\.self) ?? -1
      let after = result[index...].first { $0 != nil }.flatMap(\.self) ?? known.count
      guard before < after,
        let place = left.firstIndex(where: { $0 > before && $0 < after && holdsOthers(known[$0]) })
      else {
        continue
      }
      result[index] = left.remove(at: place)
    }
    return result
  }
}
