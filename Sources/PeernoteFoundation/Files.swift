public import Foundation
public import Peernote
import PeernoteFiles

extension Document {
  /// Reads the document in a file.
  ///
  /// - Parameter url: of a file.
  /// - Throws: `FileError`.
  public init(contentsOf url: URL) throws {
    try self.init(contentsOf: FileName(fileURL: url))
  }

  /// Saves the document, together with what the file holds by then.
  ///
  /// - Parameter url: of a file; created if there is no such file.
  /// - Throws: `FileError`; document and file stay as they were.
  public mutating func save(to url: URL) throws {
    try save(to: FileName(fileURL: url))
  }
}

extension FileName {
  /// The name of the file that a URL leads to.
  ///
  /// - Throws: `FileError` if it does not lead to a file.
  fileprivate init(fileURL url: URL) throws {
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
