/// What the MeetingNotes app takes a document for: a title, attendees, and a list of agenda items
/// that each have an identifier, a title and a text.
///
/// The app ends itself when it opens a document of another shape.
package struct MeetingNotesSchema {
  /// A place that is not as the app needs it.
  package struct Violation: Hashable, Sendable {
    package let path: [String]
    package let reason: String
  }

  private let state: AutomergeState
  private var violations: [Violation] = []

  /// What a state has that the app cannot read.
  package static func violations(in state: AutomergeState) -> [Violation] {
    var schema = MeetingNotesSchema(state: state)
    schema.check()
    return schema.violations
  }

  private init(state: AutomergeState) { self.state = state }

  private mutating func check() {
    checkString("title", in: 0, at: [])
    _ = list("attendees")
    guard let agendas = list("agendas") else { return }
    for (index, slot) in state.slots(ofObject: agendas).enumerated() {
      let path = ["agendas", String(index)]
      guard let item = state.object(madeBy: state.shown(slot)), state.kind(ofObject: item) == .map
      else {
        violations.append(Violation(path: path, reason: "is no agenda item"))
        continue
      }
      checkString("title", in: item, at: path)
      if let id = checkString("id", in: item, at: path), !Self.isUUID(id) {
        violations.append(Violation(path: path + ["id"], reason: "is no UUID"))
      }
      guard let discussion = state.slot("discussion", ofObject: item) else {
        violations.append(Violation(path: path + ["discussion"], reason: "is missing"))
        continue
      }
      let object = state.object(madeBy: state.shown(discussion))
      if object.map({ state.kind(ofObject: $0) }) != .text {
        violations.append(Violation(path: path + ["discussion"], reason: "is no text"))
      }
    }
  }

  @discardableResult
  private mutating func checkString(_ key: String, in object: Int, at path: [String]) -> String? {
    guard let slot = state.slot(key, ofObject: object) else {
      violations.append(Violation(path: path + [key], reason: "is missing"))
      return nil
    }
    let place = state.shown(slot)
    guard state.object(madeBy: place) == nil, case .string(let text) = state.scalar(place) else {
      violations.append(Violation(path: path + [key], reason: "is no string"))
      return nil
    }
    return text
  }

  private mutating func list(_ key: String) -> Int? {
    guard let slot = state.slot(key, ofObject: 0) else {
      violations.append(Violation(path: [key], reason: "is missing"))
      return nil
    }
    guard let object = state.object(madeBy: state.shown(slot)),
      state.kind(ofObject: object) == .list
    else {
      violations.append(Violation(path: [key], reason: "is no list"))
      return nil
    }
    return object
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }
  }
}
