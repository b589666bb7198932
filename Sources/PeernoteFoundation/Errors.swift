public import Foundation
public import Peernote
public import PeernoteFiles

// What `localizedDescription` says of the library's errors: what `description` does.

extension DocumentError: LocalizedError {
  /// The place and the reason.
  public var errorDescription: String? { description }
}

extension MergeError: LocalizedError {
  /// The reason.
  public var errorDescription: String? { description }
}

extension EditError: LocalizedError {
  /// The path and the reason.
  public var errorDescription: String? { description }
}

extension JSONError: LocalizedError {
  /// The place and the reason.
  public var errorDescription: String? { description }
}

extension ModelError: LocalizedError {
  /// The reason.
  public var errorDescription: String? { description }
}

extension DeltaError: LocalizedError {
  /// The reason.
  public var errorDescription: String? { description }
}

extension CursorError: LocalizedError {
  /// The reason.
  public var errorDescription: String? { description }
}

extension RevertError: LocalizedError {
  /// The reason.
  public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
  /// The file and the reason.
  public var errorDescription: String? { description }
}
