public import Foundation
public import Peernote
public import PeernoteFiles

extension Document {
  /// Reads the document in a file, as by its name.
  public init(contentsOf url: URL) throws(FileError) {
    try self.init(contentsOf: FileName(fileURL: url))
  }

  /// Saves the document, together with what the file holds by then, as by its name.
  @discardableResult
  public mutating func save(to url: URL) throws(FileError) -> SaveReport {
    try save(to: FileName(fileURL: url))
  }

  /// Changes the document in a file, as by its name.
  @discardableResult
  public static func update<Result>(
    _ url: URL, _ body: (inout Document) throws -> Result
  ) throws -> Result {
    try update(FileName(fileURL: url), body)
  }
}

extension ObservedDocument {
  /// Saves the document, and tells the listeners what the file held besides, as by its name.
  @discardableResult
  nonisolated public func save(to url: URL) async throws(FileError) -> SaveReport {
    try await save(to: FileName(fileURL: url))
  }
}

extension FileName {
  /// The name of the file that a URL leads to.
  ///
  /// - Throws: `FileError` if it does not lead to a file.
  fileprivate init(fileURL url: URL) throws(FileError) {
    guard url.isFileURL else {
      throw FileError(
        .unreadable, FileName(url.absoluteString), "is not the URL of a file; give one that is")
    }
    let bytes = unsafe url.withUnsafeFileSystemRepresentation { name in
      unsafe name.map { unsafe systemBytes(of: $0) }
    }
    self = bytes.map { FileName(bytes: $0) } ?? FileName(url.path(percentEncoded: false))
  }
}
