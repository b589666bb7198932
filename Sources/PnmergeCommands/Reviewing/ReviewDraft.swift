import Peernote
import PeernoteJSON

/// A place as one file for an editor: what stood there before, what each person made of it, and below
/// that what is to stand there.
extension ReviewDialog {
  /// What somebody makes in an editor of what stands at a place after what was decided so far; `nil` if
  /// the editor was left without a change, or failed, which is said.
  func edited(_ index: Int) throws -> Review.Choice? {
    var choice: Review.Choice?
    do {
      try edit(index) { choice = $0.flatMap { review.edited($0, at: index) } }
    } catch let failure as Failure {
      try say("  \(failure.message)")
    }
    if choice == nil { try say("  Nothing was edited, and nothing is decided.") }
    return choice
  }

  private func edit(_ index: Int, _ use: (DocumentNode?) -> Void) throws {
    let place = review.places[index]
    let nodes = [review.chosen[index]?.content, place.shown] + place.choices.map(\.content)
    guard let node = nodes.lazy.compactMap(\.self).first else {
      throw Failure(.usage, "nothing stands there that could be edited")
    }
    let draft = node.draft
    let isEnded = draft.isEmpty || draft.utf8.last == UInt8(ascii: "\n")
    let head = head(of: index)
    // The line that ends what stands above the text stands nowhere else.
    var mark = String(repeating: "=", count: 40)
    while (head + draft).contains(mark) { mark += "=" }
    let editing = DraftEditing(
      file: review.documents[place.document].file, suffix: node.string == nil ? ".json" : ".txt",
      invocation: invocation
    ) { [mark] (text: String) throws(Failure) in
      guard let found = text.firstRange(of: mark) else {
        throw Failure(.usage, "the line \(quoted(mark)) is missing, below which the text begins")
      }
      var edited = String(text[found.upperBound...].drop { $0 != "\n" && $0 != "\r\n" }.dropFirst())
      // Many editors end the last line of every file; that alone is no edit.
      if !isEnded, edited.utf8.last == UInt8(ascii: "\n") { edited = String(edited.dropLast()) }
      return try node.written(as: edited)
    }
    try editing("\(head)\n\(mark)\n\(draft)", use)
  }

  private func head(of index: Int) -> String {
    let around = review.places[index].around
    let first =
      "What is to stand there is below the last line of signs; what is above is not kept.\n"
    let last = "It stands between \(quoted(around.head)) and \(quoted(around.tail)).\n"
    return first + lines(of: index, isForEditor: true).map { $0.text + "\n" }.joined()
      + ((around.head + around.tail).isEmpty ? "" : last)
  }
}

extension Review.Choice {
  /// Whose it is, and of when.
  func title(of place: Review.Place, _ invocation: Invocation) -> String {
    if key == "both" { return "both together" }
    var name = place.name(of: self)
    guard let side else { return name }
    if place.conflict?.kind == .moved, let path = side.path { name += ", at \(path.visible)" }
    return invocation.signature(name, side.time)
  }
}

extension DocumentNode {
  /// The content to read: texts and strings as they are, all else as indented JSON.
  var readableText: String {
    string ?? String(decoding: json.bytes(indented: true), as: UTF8.self)
  }

  /// What stands in an editor in which the content is edited: a text or a string as it reads, all else
  /// as JSON.
  var draft: String {
    string ?? String(decoding: exactJSON.bytes(indented: true), as: UTF8.self) + "\n"
  }

  /// What somebody made of the ``draft``; `nil` if it is the same; throws if the text does not
  /// stand for content of that kind.
  func written(as text: String) throws(Failure) -> DocumentNode? {
    let node: DocumentNode =
      switch self {
      case .text: .text(text)
      case .value(.string): .value(.string(text))
      default: try ValueType.json.content(of: text).adapted(to: Shape(of: self))
      }
    return node.isSame(as: self) ? nil : node
  }
}
