import Peernote

/// Where the history of a plain file is: that of `notes/trip.md` is
/// `notes/.peernote/trip.md.peernote`.
extension RelativePath {
  /// The history of this plain file.
  var history: RelativePath {
    let name = lastComponent
    var result: [UInt8] = []
    result.reserveCapacity(
      bytes.count + FileName.hiddenPrefix.count + FileName.documentExtension.count)
    result += bytes[..<name.startIndex]
    result += FileName.hiddenPrefix
    result += name
    result += FileName.documentExtension
    return RelativePath(bytes: result)
  }

  /// The plain file whose history this is; `nil` if it is in no directory called `.peernote`, or
  /// not called like a history.
  var plainFile: RelativePath? {
    let name = lastComponent
    let ending = FileName.documentExtension
    let above = bytes[..<name.startIndex]
    guard name.count > ending.count, name.suffix(ending.count) == ending[...],
      above.suffix(FileName.hiddenPrefix.count) == FileName.hiddenPrefix[...]
    else { return nil }
    let outer = above.dropLast(FileName.hiddenPrefix.count)
    guard outer.last ?? UInt8(ascii: "/") == UInt8(ascii: "/") else { return nil }
    return RelativePath(bytes: outer + name.dropLast(ending.count))
  }

  /// The same; also `nil` of a conflict copy.
  var trackedFile: RelativePath? { plainFile.flatMap { original == nil ? $0 : nil } }
}

extension FileName {
  fileprivate static let documentExtension = Array(".peernote".utf8)
  fileprivate static let hiddenPrefix = FolderListing.hiddenName + [UInt8(ascii: "/")]

  /// The plain file whose history this is; `nil` if it is in no directory called `.peernote`.
  var plainFile: FileName? {
    RelativePath(bytes: bytes).plainFile.map { FileName(bytes: $0.bytes) }
  }

  /// What the plain file holds whose history this is, going by the content of that; `nil` if it is
  /// none.
  func plainText(in root: DocumentNode) -> String? {
    guard plainFile != nil, case .text(let text)? = root["body"] else { return nil }
    return text
  }

  /// What people know it by: the plain file, if this is the history of one.
  var shown: FileName { plainFile ?? self }

  /// The history of this plain file.
  var history: FileName { FileName(bytes: RelativePath(bytes: bytes).history.bytes) }
}
