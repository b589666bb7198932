import PeernoteJSON

extension JSON {
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  var members: [Member]? { if case .object(let members) = self { members } else { nil } }

  /// What a schema calls the type of the value; of `1.0`, unless it is ``plain``, the type of all
  /// numbers.
  var schemaType: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .double(let number) where !number.isFinite: "string"
    // Beyond 64 bits there are no other integers.
    case .double(let number): number.magnitude >= 0x1p63 ? "integer" : "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

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
      return .array(
        elements.prefix(max(room, 0)).compactMap { room > 0 ? $0.prefix(&room) : nil })
    case .object(let members):
      return .object(
        members.prefix(max(room, 0)).compactMap { member in
          if room <= 0 { return nil }
          let name = Self.prefix(of: member.name, &room)
          return Member(name: name, value: member.value.prefix(&room))
        })
    }
  }

  private static func prefix(of text: String, _ room: inout Int) -> String {
    let kept = text.unicodeScalars.prefix(max(room, 0))
    room -= kept.count
    return String(Substring(kept))
  }
}
