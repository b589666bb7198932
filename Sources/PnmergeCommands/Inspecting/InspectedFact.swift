import PeernoteJSON

/// Something that `inspect` says: lines for people, each with a label, and a member for programs.
struct InspectedFact {
  var name: String
  var lines: [(label: String, text: String)]
  var json: JSON

  /// Lines of one label, which is the name if there is none.
  init(_ name: String, label: String? = nil, _ texts: [String], _ json: JSON) {
    (self.name, self.json) = (name, json)
    lines = texts.map { (label ?? name.replacing("_", with: " "), $0) }
  }

  init(_ name: String, _ text: String) { self.init(name, [text], .string(text)) }

  init(_ name: String, label: String? = nil, _ count: Int) {
    self.init(name, label: label, [String(count)], .count(count))
  }
}
