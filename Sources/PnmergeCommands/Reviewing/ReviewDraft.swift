import Peernote
import PeernoteJSON

/// A place as one file for an editor: what stood there before, what each person made of it, and below
/// that what is to stand there.
struct ReviewDraft {
  let place: Review.Place
  let review: Review
  let invocation: Invocation

  /// What somebody makes in an editor of what stands at the place.
  ///
  /// - Parameter shown: what stands there after what was decided so far.
  /// - Returns: what is to stand there; `nil` if the editor was left without a change.
  /// - Throws: ``Failure`` if it failed, nothing stands there, or the user breaks off.
  func written(from shown: Node?) throws -> Node? {
    guard let node = shown ?? place.shown ?? place.choices.lazy.compactMap(\.content).first else {
      throw Failure(.usage, "nothing stands there that could be edited")
    }
    let draft = node.draft
    let isEnded = draft.isEmpty || draft.utf8.last == UInt8(ascii: "\n")
    let head = head(besides: draft)
    var result: Node?
    let editing = DraftEditing(
      file: review.documents[place.document].file, suffix: node.isWritten ? ".txt" : ".json",
      invocation: invocation
    ) { (text: String) throws(Failure) in
      guard let mark = text.firstRange(of: head.mark) else {
        throw Failure(
          .usage, "the line \(quoted(head.mark)) is missing, below which the text begins")
      }
      var edited = String(text[mark.upperBound...].drop { $0 != "\n" && $0 != "\r\n" }.dropFirst())
      // Many editors end the last line of every file; that alone is no edit.
      if !isEnded, edited.utf8.last == UInt8(ascii: "\n") { edited = String(edited.dropLast()) }
      return try node.written(as: edited)
    }
    try editing(head.text + draft) { result = $0 }
    return result
  }

  /// What stands above the text, and the line that ends it, which stands nowhere else.
  private func head(besides draft: String) -> (text: String, mark: String) {
    var text = "Below the last line of signs is what is to stand there: \(place.name.words).\n"
    text += "What is above it only tells what others made of it, and is not kept.\n"
    func add(_ title: String, _ content: Node?) {
      text += "\n-- \(title)\n" + (place.sentence(content) ?? "(nothing)").ended
    }
    if place.before.isKnown { add("before", place.before.node) }
    for choice in place.choices where choice.key != "before" {
      add(choice.title(invocation), choice.content)
    }
    if let sentence = place.around.head.isEmpty && place.around.tail.isEmpty ? nil : place.around {
      text += "\nIt stands between \(quoted(sentence.head)) and \(quoted(sentence.tail)).\n"
    }
    var mark = String(repeating: "=", count: 40)
    while (text + draft).contains(mark) { mark += "=" }
    return (text + "\n\(mark)\n", mark)
  }
}

extension Review.Choice {
  /// Whose it is, in words.
  func title(_ invocation: Invocation) -> String {
    if authors.isEmpty { return key }
    let names = enumerated(authors.map { authorName($0) })
    guard let time, time.milliseconds != 0 else { return names }
    return "\(names), \(invocation.localText(time))"
  }
}

extension String {
  /// The text with an end of its last line.
  fileprivate var ended: String { utf8.last == UInt8(ascii: "\n") ? self : self + "\n" }
}

extension Node {
  /// Whether it is edited as it reads, and not as JSON.
  var isWritten: Bool { string != nil }

  /// What stands in an editor in which the content is edited.
  var draft: String {
    string ?? String(decoding: exactJSON.encoded(indented: true), as: UTF8.self) + "\n"
  }

  /// What somebody made of the ``draft``.
  ///
  /// - Parameter text: what the draft reads now.
  /// - Returns: the content; `nil` if it is the same.
  /// - Throws: ``Failure`` if the text does not stand for content of that kind.
  func written(as text: String) throws(Failure) -> Node? {
    let node: Node
    if case .text = self {
      node = .text(text)
    } else if isWritten {
      node = .value(.string(text))
    } else {
      let json = try ValueType.json(in: text)
      do throws(ExactJSON.Fault) {
        node = try Node(exactJSON: json).adapted(to: Shape(of: self))
      } catch {
        throw Failure(.usage, error.description)
      }
    }
    return node.isSame(as: self) ? nil : node
  }
}
