import Foundation
import Peernote
import Testing

/// A program that shows the titles of a folder's documents, and reads no history for that.
@Suite struct ViewerExample {
  /// The titles of the documents in a folder, by file, and the files that cannot be read.
  static func titles(in folder: URL) throws -> (titles: [String: String], faults: [String]) {
    var (titles, faults) = ([String: String](), [String]())
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      do {
        let reader = try DocumentReader(bytes: Array(Data(contentsOf: file)))
        titles[file.lastPathComponent] = reader.root["title"]?.string
      } catch {
        faults.append("\(file.lastPathComponent): \(error.localizedDescription)")
      }
    }
    return (titles, faults)
  }

  @Test("a thousand files are listed, and one that is damaged does not hide the others")
  func thousand() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    for number in 0..<1000 {
      var document = Document()
      try document.change(by: session("desk")) { editor in
        try editor.put(.string("Note \(number)"), at: ["title"])
      }
      try Data(document.bytes()).write(to: folder.appending(path: "\(number).peernote"))
    }
    try Data([0xFF]).write(to: folder.appending(path: "damaged.peernote"))
    let (titles, faults) = try Self.titles(in: folder)
    #expect(titles.count == 1000 && titles["7.peernote"] == "Note 7")
    #expect(faults.count == 1 && faults[0].hasPrefix("damaged.peernote: "))
  }
}
