import Peernote
import PeernoteJSON

extension ConflictPrompt {
  /// What somebody makes in an editor of what stands at a place now.
  ///
  /// - Parameter conflict: the place.
  /// - Returns: what is to stand there; `nil` if the editor was left without a change, or failed,
  ///   which is said.
  /// - Throws: ``Failure`` if the user breaks off.
  func written(for conflict: Conflict) throws -> Node? {
    do {
      switch conflict.kept.node {
      case .text(let text): return try written(text).map { .text($0) }
      case .value(.string(let text)): return try written(text).map { .value(.string($0)) }
      case .some(let node): return try written(node)
      case nil: return nil
      }
    } catch let failure as Failure where failure.status != .interrupted {
      try invocation.console.printError(failure.line)
      return nil
    }
  }

  private func written(_ text: String) throws -> String? {
    var result: String?
    let editing = DraftEditing(file: file, suffix: ".txt", invocation: invocation) {
      (text: String) throws(Failure) in text
    }
    try editing(text) { edited in
      if edited.utf8.elementsEqual(text.utf8) { return }
      // Many editors end the last line of every file; that alone is no edit.
      let isEnded = text.isEmpty || text.utf8.last == UInt8(ascii: "\n")
      result =
        !isEnded && edited.utf8.last == UInt8(ascii: "\n") ? String(edited.dropLast()) : edited
    }
    return result.flatMap { $0.utf8.elementsEqual(text.utf8) ? nil : $0 }
  }

  private func written(_ node: Node) throws -> Node? {
    var result: Node?
    let editing = DraftEditing(file: file, suffix: ".json", invocation: invocation) {
      (text: String) throws(Failure) in
      let json = try ValueType.json(in: text, from: nil)
      do throws(ExactJSON.Fault) {
        return try Node(exactJSON: json).adapted(to: Shape(of: node))
      } catch {
        throw Failure(.usage, error.description)
      }
    }
    let text = String(decoding: node.exactJSON.encoded(indented: true), as: UTF8.self) + "\n"
    try editing(text) { edited in
      if !edited.isSame(as: node) { result = edited }
    }
    return result
  }
}

extension Conflict {
  /// What it comes to when somebody writes other content than any side's.
  func writing(_ node: Node) -> Resolution? {
    guard scalars != nil else { return setting(node) }
    var side = kept
    side.node = node
    return taking(side)
  }
}
