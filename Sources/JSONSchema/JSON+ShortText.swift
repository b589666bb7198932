import PeernoteJSON

extension JSON {
  /// The value on a line, cut; O(1).
  var shortText: String {
    // So many scalars hardly ever make fewer characters than are shown.
    var room = 160
    let start = prefix(&room)
    let text = String(decoding: start.bytes(), as: UTF8.self)
    return text.count > 40 || room <= 0 ? text.prefix(39) + "…" : text
  }

  /// As much of the value as there is room for, where every value takes some, and every scalar.
  private func prefix(_ room: inout Int) -> JSON {
    room -= 1
    switch self {
    case .null, .bool, .integer, .double: return self
    case .string(let text): return .string(Self.prefix(of: text, &room))
    case .array(let elements):
      var kept: [JSON] = []
      for element in elements {
        guard room > 0 else { break }
        kept.append(element.prefix(&room))
      }
      return .array(kept)
    case .object(let members):
      var kept: [Member] = []
      for member in members {
        guard room > 0 else { break }
        kept.append(
          Member(name: Self.prefix(of: member.name, &room), value: member.value.prefix(&room)))
      }
      return .object(kept)
    }
  }

  private static func prefix(of text: String, _ room: inout Int) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text.unicodeScalars.prefix(max(room, 0)))
    room -= result.count
    return String(result)
  }
}
