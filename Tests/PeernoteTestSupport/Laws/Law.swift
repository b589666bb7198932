/// Something that must hold for every history.
package struct Law: Sendable {
  /// The law in a sentence.
  package let name: String
  private let check: @Sendable (LawCase) throws -> Void

  package init(_ name: String, _ check: @escaping @Sendable (LawCase) throws -> Void) {
    self.name = name
    self.check = check
  }

  /// How the law is broken on a case; `nil` if it holds.
  package func fault(in lawCase: LawCase) -> String? {
    do {
      try check(lawCase)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// How the law is broken on a history, or how the history is refused; `nil` if it holds.
  package func fault(in history: History) -> String? {
    do {
      return fault(in: try LawCase(history))
    } catch {
      return "a document is refused: \(error)"
    }
  }

  /// All laws.
  package static let all: [Law] =
    contentLaws + fileLaws + mergeLaws + reportLaws + redactionLaws + refusalLaws
    + reversalLaws + viewLaws + divergenceLaws
}

extension Law: CustomStringConvertible {
  /// The name.
  package var description: String { name }
}
