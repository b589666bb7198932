import Foundation
package import Peernote
import PeernoteTestSupport

/// A sound document to be forged, and sound copies of it to merge forgeries into.
package struct FuzzBase: Sendable {
  /// The document's parts.
  package let file: ForgedFile
  /// The whole document, the document in the middle of its history, and that edited further.
  package let goods: [Document]

  /// Takes a file for the start; one from before there were passages gets those of its history.
  package init(_ bytes: [UInt8]) throws {
    var known = try DocumentFile(bytes)
    try known.findPassages()
    let bytes = known.bytes()
    file = try ForgedFile(bytes)
    let whole = try Document(bytes: bytes)
    let changes = whole.changes
    guard !changes.isEmpty else {
      goods = [whole]
      return
    }
    let half = try whole.at(version: [changes[changes.count / 2].id])
    goods = [whole, half, Self.edited(half)]
  }

  /// The golden documents.
  package static let all: [FuzzBase] = {
    let directory = Repository.path("Fixtures/documents/v1")
    let files = try? FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil)
    let documents = (files ?? []).filter { $0.pathExtension == "peernote" }
      .sorted { $0.path < $1.path }
      .compactMap { try? FuzzBase(Array(Data(contentsOf: $0))) }
    precondition(!documents.isEmpty, "the golden documents are in Fixtures/documents/v1")
    return documents
  }()

  /// A copy in which somebody changed a bit of everything at the top.
  private static func edited(_ document: Document) -> Document {
    var result = document
    result.change(by: .person(0xF00D, "own", at: 1_800_000_000_000)) { editor in
      try? editor.put(.integer(1), at: JSONPointer(["own"]))
      guard case .map(let entries) = document.root else { return }
      for entry in entries {
        let path = JSONPointer([entry.key])
        switch entry.node {
        case .text(let text):
          let end = min(1, text.unicodeScalars.count)
          try? editor.spliceText(at: path, scalars: 0..<end, with: "¡!")
        case .list: try? editor.insert(node: .value(.integer(9)), at: path.appending("0"))
        case .set: try? editor.add(.string("own"), toSetAt: path)
        case .counter: try? editor.increment(by: 5, at: path)
        case .map: try? editor.put(.bool(true), at: path.appending("own"))
        case .value: try? editor.put(.string("own"), at: path)
        }
      }
    }
    return result
  }
}
