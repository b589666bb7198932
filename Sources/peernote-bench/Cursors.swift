import ArgumentParser
import Foundation
import Peernote

struct Cursors: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times cursors in a text: making them, and finding where they stand.",
    discussion: """
      The cursors are made at places spread evenly over the text, and one at the place of the last \
      edit, where an editor's caret stands.

      Example: peernote-bench cursors S1.peernote
      """)

  @Argument(help: "A .peernote document with a text under the key body.")
  var file: String

  @Option(help: "How many cursors.")
  var count = 20

  func validate() throws {
    guard count > 1 else { throw ValidationError("--count takes numbers from 2 up") }
  }

  func run() throws {
    let body = JSONPointer(["body"])
    var document = try Document(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
    guard case .text(let text) = document.node(at: body) else {
      throw ValidationError("\(file) holds no text under the key body")
    }
    let length = text.unicodeScalars.count
    var samples = Samples()
    for index in 0..<count {
      let place = length * index / (count - 1)
      let cursor = try samples.measure("make") {
        try document.cursor(inTextAt: body, scalar: place)
      }
      let found = try samples.measure("find") { try document.place(of: cursor) }
      precondition(found.scalar == place, "a new cursor stands where it was made")
    }
    let session = DocumentSession(
      agent: AgentID(rawValue: 1), author: "bench", time: Timestamp(milliseconds: 0))
    try document.change(by: session) { editor in
      try editor.spliceText(at: body, scalars: length / 2..<length / 2, with: "caret")
    }
    for _ in 0..<count {
      let cursor = try samples.measure("make at caret") {
        try document.cursor(inTextAt: body, scalar: length / 2 + 5)
      }
      _ = try samples.measure("find caret") { try document.place(of: cursor) }
    }
    print(samples.description)
  }
}
