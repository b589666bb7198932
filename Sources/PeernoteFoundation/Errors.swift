public import Foundation
public import Peernote
public import PeernoteFiles

// `localizedDescription` says to a person what is wrong, `failureReason` where, as `description` does.
// Errors that only a program can cause say where at once.

extension DocumentError: LocalizedError {
  /// What a person can make of it.
  public var errorDescription: String? {
    switch kind {
    case .damaged: "The document is damaged."
    case .newerFormat: "The document needs a newer version of this app."
    case .limit: "The document is larger than this app can open."
    case .noSuchVersion: "This copy of the document has no such version."
    }
  }
  /// The place and the reason.
  public var failureReason: String? { description }
  /// What may help.
  public var recoverySuggestion: String? {
    switch kind {
    case .damaged: "Another copy of it may be sound."
    case .newerFormat: "Update the app."
    case .limit: nil
    case .noSuchVersion: "Merge the copy that has it first."
    }
  }
}

extension MergeError: LocalizedError {
  /// What a person can make of it.
  public var errorDescription: String? {
    switch self {
    case .differentDocument: "These are two different documents."
    case .noSharedHistory: "The two documents have the same identity, but no change in common."
    case .sharedHistory: "These are two copies of one document."
    case .forked: "The two copies contradict each other: one change differs in them."
    case .damaged(let error), .filled(by: _, let error): error.errorDescription
    }
  }
  /// The reason.
  public var failureReason: String? { description }
}

extension DeltaError: LocalizedError {
  /// What a person can make of it.
  public var errorDescription: String? {
    switch self {
    case .damaged(let error): error.errorDescription
    case .missingChanges: "Earlier changes have not arrived yet."
    case .merge(let error): error.errorDescription
    }
  }
  /// The reason.
  public var failureReason: String? { description }
}

extension FileError: LocalizedError {
  /// The file, and what a person can make of it.
  public var errorDescription: String? {
    switch kind {
    case .damaged: "\(file.visible) is damaged."
    case .newerFormat: "\(file.visible) needs a newer version of this app."
    case .differentDocument: "\(file.visible) holds another document."
    case .forkedHistory: "\(file.visible) contradicts the document: one change differs in them."
    case .unreadable, .cannotCreate, .inputOutput, .busy, .interrupted: description
    }
  }
  /// The file and the reason.
  public var failureReason: String? { description }
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

extension CursorError: LocalizedError {
  /// The reason.
  public var errorDescription: String? { description }
}

extension RevertError: LocalizedError {
  /// The reason.
  public var errorDescription: String? { description }
}
