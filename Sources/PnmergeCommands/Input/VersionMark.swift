package import Peernote
import PeernoteJSON

/// The version of a document that an export says it holds.
///
/// Markdown says it under the key ``markdownKey`` of the front matter, JSON in the member
/// ``jsonName`` of the outermost object: the document's UUID, then the heads of the version, with
/// spaces between. What comes in loses the mark; anything else under these names is content.
package struct VersionMark: Hashable, Sendable {
  package var document: UniqueID
  /// The heads of the version, ascending.
  package var heads: [ChangeID]

  /// The key in front matter.
  package static let markdownKey = "peernote-version"
  /// The member's name in JSON.
  package static let jsonName = "$peernote-version"
}

extension VersionMark {
  /// Reads what ``text`` writes; `nil` for anything else.
  package init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    let heads = words.dropFirst().map { ChangeID($0) }
    guard let first = words.first, let id = UniqueID(first), !heads.isEmpty, !heads.contains(nil)
    else { return nil }
    self.init(document: id, heads: heads.compactMap(\.self))
  }

  /// The mark's text.
  package var text: String {
    ([document.description] + heads.map(\.description)).joined(separator: " ")
  }
}

extension JSON {
  /// Takes the mark out of an object.
  mutating func takeVersionMark() -> VersionMark? {
    guard case .object(var members) = self,
      let index = members.firstIndex(where: { $0.name == VersionMark.jsonName }),
      case .string(let text) = members[index].value, let mark = VersionMark(text)
    else { return nil }
    members.remove(at: index)
    self = .object(members)
    return mark
  }

  /// The object with a mark before all else.
  func with(_ mark: VersionMark) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object([Member(name: VersionMark.jsonName, value: .string(mark.text))] + members)
  }
}
