import Peernote
import PeernoteJSON

/// Opens an editor on what stands at a contested place.
struct ConflictEditor {
  /// The document's file, for the names of drafts.
  var file: FileName
  var invocation: Invocation

  /// What somebody makes in an editor of what stands at a place now.
  ///
  /// - Parameter conflict: the place.
  /// - Returns: what is to stand there; `nil` if the editor was left without a change.
  /// - Throws: ``Failure`` if it failed, nothing stands there, or the user breaks off.
  func written(for conflict: Conflict) throws -> Node? {
    guard let node = conflict.kept.node else {
      throw Failure(.usage, "nothing stands there that could be edited")
    }
    return node.isWritten ? try written(asText: node) : try written(asJSON: node)
  }

  private func written(asText node: Node) throws -> Node? {
    let text = node.draft
    var result: String?
    let editing = DraftEditing(file: file, suffix: ".txt", invocation: invocation) {
      (text: String) throws(Failure) in text
    }
    try editing(text) { edited in
      // Many editors end the last line of every file; that alone is no edit.
      let isEnded = text.isEmpty || text.utf8.last == UInt8(ascii: "\n")
      result =
        !isEnded && edited.utf8.last == UInt8(ascii: "\n") ? String(edited.dropLast()) : edited
    }
    return try result.flatMap { try node.written(as: $0) }
  }

  private func written(asJSON node: Node) throws -> Node? {
    var result: Node?
    let editing = DraftEditing(file: file, suffix: ".json", invocation: invocation) {
      // Only what cannot be read is a fault; that nothing was edited is found out at the end.
      (text: String) throws(Failure) in (text, try node.written(as: text))
    }
    try editing(node.draft) { _, edited in result = edited }
    return result
  }
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
