public import Foundation
public import Peernote
public import PeernoteFiles

extension Document {
  /// Reads the document in a file.
  ///
  /// - Parameter url: of a file.
  /// - Throws: `FileError`.
  public init(contentsOf url: URL) throws(FileError) {
    try self.init(contentsOf: FileName(fileURL: url))
  }

  /// Saves the document, together with what the file holds by then.
  ///
  /// - Parameter url: of a file; created if there is no such file.
  /// - Returns: what was written and what came in.
  /// - Throws: `FileError`; document and file stay as they were.
  @discardableResult
  public mutating func save(to url: URL) throws(FileError) -> SaveReport {
    try save(to: FileName(fileURL: url))
  }

  /// Changes the document in a file: reads it, has it changed, and replaces the file.
  ///
  /// - Parameters:
  ///   - url: of a file that is there.
  ///   - body: changes the document.
  /// - Returns: what the closure returned last.
  /// - Throws: `FileError`, and what the closure throws; the file stays as it was.
  @discardableResult
  public static func update<Result>(
    _ url: URL, _ body: (inout Document) throws -> Result
  ) throws -> Result {
    try update(FileName(fileURL: url), body)
  }
}

extension ObservedDocument {
  /// Saves the document, together with what the file holds by then, and tells the listeners what came
  /// in.
  ///
  /// - Parameter url: of a file; created if there is no such file.
  /// - Returns: what was written and what came in.
  /// - Throws: `FileError`; document and file stay as they were.
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
