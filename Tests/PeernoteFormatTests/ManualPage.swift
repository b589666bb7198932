import Foundation
import PeernoteTestSupport

/// The manual page of the format, of which tests take the grammar and the example.
enum ManualPage {
  /// The lines between a comment that begins with `name` and ` begins` and the one that ends it.
  static func lines(_ name: String) throws -> [String] {
    let page = try String(contentsOf: Repository.path("man/peernote.5"), encoding: .utf8)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasPrefix(".\\\" \(name) begins") }),
      let end = lines.firstIndex(where: { $0.hasPrefix(".\\\" \(name) ends") })
    else { throw MissingPart(name: name) }
    return lines[(start + 1)..<end].map {
      String($0.replacing("\\-", with: "-"))
    }
  }

  /// The page has no part of this name.
  struct MissingPart: Error {
    var name: String
  }
}
