/// What the MeetingNotes app takes a document for: a title, attendees, and a list of agenda items
/// that each have an identifier, a title and a text; it ends itself when it opens anything else.
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
    require(nil, at: "title", of: 0, [])
    require(.list, at: "attendees", of: 0, [])
    guard let place = require(.list, at: "agendas", of: 0, []),
      let agendas = state.object(madeBy: place)
    else { return }
    for (index, cell) in state.cells(ofObject: agendas).enumerated() {
      let path = ["agendas", String(index)]
      guard let item = state.object(madeBy: state.shown(cell)), state.kind(ofObject: item) == .map
      else {
        violations.append(Violation(path: path, reason: "is no agenda item"))
        continue
      }
      require(nil, at: "title", of: item, path)
      if let id = require(nil, at: "id", of: item, path), case .string(let text) = state.value(id),
        !Self.isUUID(text)
      {
        violations.append(Violation(path: path + ["id"], reason: "is no UUID"))
      }
      require(.text, at: "discussion", of: item, path)
    }
  }

  /// The operation shown at a key, which has to have made an object of a kind, or written a string
  /// where none is given; `nil` if it has not.
  @discardableResult
  private mutating func require(
    _ kind: AutomergeState.ObjectKind?, at key: String, of object: Int, _ path: [String]
  ) -> Int32? {
    guard let cell = state.cell(key, ofObject: object) else {
      violations.append(Violation(path: path + [key], reason: "is missing"))
      return nil
    }
    let place = state.shown(cell)
    let isRight =
      switch state.value(place) {
      case .object(let made): made == kind
      case .string: kind == nil
      case _: false
      }
    guard isRight else {
      let wanted = kind.map { "\($0)" } ?? "string"
      violations.append(Violation(path: path + [key], reason: "is no \(wanted)"))
      return nil
    }
    return place
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }
  }
}
