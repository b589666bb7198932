import Peernote

/// Names for files whose own name is taken, or cannot be had.
enum NumberedName {
  /// `stem (2).ext` and so on, of 255 bytes at most, for the file at a path, numbered from 2.
  static func name(_ path: RelativePath, _ number: Int) -> RelativePath {
    self.name(path, suffix: Array(" (\(number))".utf8))
  }

  private static func name(_ path: RelativePath, suffix: [UInt8]) -> RelativePath {
    let name = Array(path.lastComponent)
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let stem = dot == 0 ? name : Array(name[..<dot])
    let suffix = suffix + (dot == 0 ? [] : name[dot...])
    // A character of UTF-8 is not cut.
    var kept = stem.prefix(FileName.longestComponent - suffix.count)
    if kept.count < stem.count {
      while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
      if let last = kept.last, last >= 0xC0 { kept.removeLast() }
    }
    return path.sibling(kept + suffix)
  }

  /// The first of the numbered names that is free.
  static func first(_ path: RelativePath, isFree: (RelativePath) -> Bool) -> RelativePath {
    var number = 2
    while true {
      let candidate = name(path, number)
      if isFree(candidate) { return candidate }
      number += 1
    }
  }

  // MARK: Names of conflict copies

  /// The name of a conflict copy of a file, as Syncthing gives it; a number, from 1, tells copies of
  /// one time apart.
  static func conflictCopy(of path: RelativePath, saved: Timestamp, _ number: Int) -> RelativePath {
    let digits = saved.iso8601.filter(\.isNumber).prefix(14)
    let suffix = ".sync-conflict-\(digits.prefix(8))-\(digits.suffix(6))\(ownTag)"
    return name(path, suffix: Array((number == 1 ? suffix : suffix + String(number)).utf8))
  }

  /// How the names of conflict copies end that this program makes.
  private static let ownTag = "-PNMERGE"

  // MARK: Names for a moment

  private static let asideSuffix = Array(" (being renamed)".utf8)

  /// The name that a file has for a moment, while names are given in a circle; if a run is ended then,
  /// the next one knows that nobody gave it; a numbered one if that is taken.
  static func aside(_ path: RelativePath, isFree: (RelativePath) -> Bool) -> RelativePath {
    let aside = name(path, suffix: asideSuffix)
    return isFree(aside) ? aside : first(path, isFree: isFree)
  }

  /// The path that a file had which has a name for a moment; `nil` for any other path.
  static func path(ofAside path: RelativePath) -> RelativePath? {
    let name = Array(path.lastComponent)
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let stem = dot == 0 ? name[...] : name[..<dot]
    guard stem.count > asideSuffix.count, stem.suffix(asideSuffix.count) == asideSuffix[...] else {
      return nil
    }
    return path.sibling(stem.dropLast(asideSuffix.count) + (dot == 0 ? [] : name[dot...]))
  }

  /// The path with every byte replaced that FAT, exFAT or NTFS refuse in a name.
  ///
  /// Characters that are none of UTF-8, control characters, `"*:<>?\|`, and blanks and full stops
  /// at the end of a component.
  static func portable(_ path: RelativePath) -> RelativePath {
    let refused = Set("\"*:<>?\\|".utf8)
    let components = path.bytes.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map { component -> [UInt8] in
      let isText = String(validating: component, as: UTF8.self) != nil
      var result = component.map { byte in
        byte < 0x20 || byte == 0x7F || refused.contains(byte) || (!isText && byte >= 0x80)
          ? UInt8(ascii: "_") : byte
      }
      if let last = result.last, last == UInt8(ascii: " ") || last == UInt8(ascii: ".") {
        result[result.count - 1] = UInt8(ascii: "_")
      }
      return result
    }
    return RelativePath(bytes: components.joined(separator: CollectionOfOne(UInt8(ascii: "/"))))
  }
}
