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
  func fault(in lawCase: LawCase) -> String? {
    PeernoteTestSupport.fault { try check(lawCase) }
  }

  /// One clause for each law that is broken on a history, or that says how the history is refused.
  package static func faults(of laws: [Law], in history: History) -> [String] {
    do {
      let lawCase = try LawCase(history)
      return laws.compactMap { law in
        law.fault(in: lawCase).map { "\"\(law.name)\" is broken: \($0)" }
      }
    } catch {
      return ["a document is refused: \(error)"]
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
