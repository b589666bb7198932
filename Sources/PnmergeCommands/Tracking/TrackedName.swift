import Peernote

/// Where the history of a plain file is: that of `notes/trip.md` is
/// `notes/.peernote/trip.md.peernote`.
extension RelativePath {
  /// The history of this plain file.
  var history: RelativePath { sibling(FileName(bytes: lastComponent).historyName) }

  /// The plain file whose history this is; `nil` if it is in no directory called `.peernote`, or
  /// not called like a history.
  var plainFile: RelativePath? {
    guard let directory, directory.lastComponent.elementsEqual(FolderListing.hiddenName),
      lastComponent.count > FileName.documentExtension.count,
      lastComponent.suffix(FileName.documentExtension.count)
        .elementsEqual(FileName.documentExtension)
    else { return nil }
    return directory.sibling(lastComponent.dropLast(FileName.documentExtension.count))
  }
}

extension FileName {
  fileprivate static let documentExtension = Array(".peernote".utf8)

  /// The name of this plain file's history in its directory.
  fileprivate var historyName: [UInt8] {
    FolderListing.hiddenName + [UInt8(ascii: "/")] + bytes + Self.documentExtension
  }

  /// The plain file whose history this is; `nil` if it is in no directory called `.peernote`.
  var plainFile: FileName? {
    RelativePath(bytes: bytes).plainFile.map { FileName(bytes: $0.bytes) }
  }

  /// The history of this plain file.
  var history: FileName {
    FileName(
      bytes: bytes.dropLast(lastComponent.bytes.count)
        + FileName(bytes: lastComponent.bytes).historyName)
  }
}
