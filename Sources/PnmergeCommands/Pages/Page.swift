import PeernoteDigest
import Peernote

/// A page that needs nothing besides itself: no network, no other file, no script but its own.
///
/// Its policy allows the one style sheet and the one script that it holds, by their SHA-256, and
/// nothing else: what a document says could not act on it even if it were taken for markup.
struct Page {
  /// The beginning of every page, by which one is known again.
  private static let beginning =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    + "<meta name=\"generator\" content=\"pnmerge\">\n"

  /// Shown as the name of the window.
  var title: String
  var body: HTML
  /// What it does; empty for a page that only shows.
  var script: String

  func bytes() -> [UInt8] {
    let policy =
      "default-src 'none'; style-src \(Self.source(Self.style)); "
      + (script.isEmpty ? "" : "script-src \(Self.source(script)); ")
      + "base-uri 'none'; form-action 'none'"
    // A quotation mark of the policy is no markup: browsers take it from the attribute.
    var page = HTML(stringLiteral: Self.beginning)
    page += """
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>\(HTML(stringLiteral: Self.style))</style></head>
      <body>
      \(body)
      """
    if !script.isEmpty { page += "<script>\(HTML(stringLiteral: script))</script>\n" }
    page += "</body></html>\n"
    return page.bytes
  }

  private static func source(_ text: String) -> String {
    "'sha256-\(Base64.encoded(Array(SHA256.hash(Array(text.utf8)))))'"
  }

  /// Writes the page to a file, or to standard output; throws if something else than an older page
  /// stands there.
  func write(to file: FileName, _ invocation: Invocation) throws {
    let bytes = bytes()
    if file.isStandardStream { return try invocation.console.write(bytes) }
    let replacement = Replacement(of: file, expecting: .any, invocation)
    _ = try replacement { old in
      if let old, !old.bytes.starts(with: Self.beginning.utf8) {
        throw Failure(
          .cannotCreate, file: file,
          "exists and is not a page of pnmerge; give another name; nothing was written")
      }
      return Replacement.Proposal(bytes: bytes, report: ())
    }
    try invocation.console.report("\(file.visible): written")
  }
}
