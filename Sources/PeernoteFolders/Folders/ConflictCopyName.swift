/// The name that a program gives to a copy of a file which was changed in two places.
///
/// | program | name |
/// |---|---|
/// | Syncthing | `N.sync-conflict-YYYYMMDD-HHMMSS-DEVICE.ext` |
/// | Nextcloud, ownCloud | `N (conflicted copy YYYY-MM-DD HHMMSS).ext`, `N_conflict-YYYYMMDD-HHMMSS.ext` |
/// | Dropbox, Maestral | `N (X's conflicted copy YYYY-MM-DD).ext`, with a number ` (1)` at its end, in the language of its user; `N (Case Conflict).ext`, `N (X's conflicting copy YYYY-MM-DD).ext` |
/// | Obsidian | `N (Conflicted copy DEVICE YYYYMMDDHHMM).ext` |
/// | Synology | `N_HOST_Mon-DD-HHMM-YYYY_Conflict.ext` |
/// | Unison | `N (conflict_on_YYYY-MM-DD).ext` |
/// | git-annex | `N.variant-XXXX.ext` |
/// | Seafile | `N (SFConflict WHO TIME).ext` |
/// | rclone bisync | `N.ext.conflict1`, `N.conflict1.ext` |
/// | git | `N.ext.orig`, `N_LOCAL_123.ext` |
///
/// A name alone proves nothing: the copy has to be one of the same document, too.
package enum ConflictCopyName {
  /// What stands at the end of the names: `#` is a digit, `x` a digit of base 16 or an underscore,
  /// `?` anything but an underscore and `%` anything; with a `*` behind it any number of it.
  private static let ends =
    [
      ".sync-conflict-########-######%*", ".variant-xxxx*", "_conflict-########-######",
      "_?*_???-??-????-????_Conflict", ".conflict##*",
    ].map { Array($0.utf8) } + endsOfGit
  private static let endsOfGit = ["_LOCAL_##*", "_REMOTE_##*", "_BASE_##*", "_BACKUP_##*"]
    .map { Array($0.utf8) }
  /// What stands behind the ending of a name.
  private static let suffixes = [".conflict##*", ".orig"].map { Array($0.utf8) }
  private static let point = UInt8(ascii: ".")
  private static let underscore = UInt8(ascii: "_")
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  private static let hexDigits = Set("0123456789abcdefABCDEF_".utf8)
  /// What the note in parentheses of a copy says, in lower case, where it may begin with a name.
  private static let copyWords = [
    "conflicted copy", "conflicting copy", "case conflict", "unicode encoding conflict",
    "in konflikt stehende kopie", "copie en conflit", "copia en conflicto", "copia in conflitto",
    "cópia em conflito", "cópia com conflito", "conflicterende kopie", "gekonfliktes exemplar",
    "kopia powodująca konflikt", "конфликтующая копия", "конфликтная копия", "конфліктна копія",
    "konfliktkopia", "modstridende kopi", "競合コピー", "冲突副本", "衝突複本", "충돌된 사본",
  ].map { Array($0.utf8) }

  /// The name of the file of which a file with some name, without directories, is a conflict copy;
  /// `nil` if it is none.
  package static func original(of name: [UInt8]) -> [UInt8]? { original(of: name[...]) }

  /// The same for a part of a path.
  ///
  /// It copies nothing of a name that is none of a conflict copy.
  package static func original(of name: ArraySlice<UInt8>) -> [UInt8]? {
    if let whole = withoutLastSuffix(name) { return Array(whole) }
    guard let dot = name.lastIndex(of: point) else { return nil }
    let (stem, suffix) = (name[..<dot], name[dot...])
    let found = without(ends, stem) ?? withoutParentheses(stem)
    guard let found, !found.isEmpty else { return nil }
    return Array(found + suffix)
  }

  /// The same for names that programs give which carry files between machines: git's are none.
  package static func deliveredOriginal(of name: ArraySlice<UInt8>) -> [UInt8]? {
    let stem = name.lastIndex(of: point).map { name[..<$0] } ?? name
    let isOfGit = name.suffix(5).elementsEqual(".orig".utf8) || without(endsOfGit, stem) != nil
    return isOfGit ? nil : original(of: name)
  }

  /// `N.ext.conflict1`, `N.ext.orig`.
  package static func withoutLastSuffix(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    without(suffixes, name)
  }

  /// A name without the first of some ends that is its end; `nil` if none is, or nothing is before it.
  private static func without(
    _ ends: [[UInt8]], _ name: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    let bytes = name.span
    for start in bytes.indices.dropFirst() {
      // All ends begin with one of these.
      guard bytes[start] == point || bytes[start] == underscore else { continue }
      for end in ends where fits(bytes.extracting(start...), end.span) {
        return name.prefix(start)
      }
    }
    return nil
  }

  /// Whether all of some bytes are as an end says.
  private static func fits(_ bytes: Span<UInt8>, _ end: Span<UInt8>) -> Bool {
    if end.isEmpty { return bytes.isEmpty }
    let isRepeated = end.count > 1 && end[1] == UInt8(ascii: "*")
    if isRepeated, fits(bytes, end.extracting(2...)) { return true }
    guard !bytes.isEmpty, fits(bytes[0], end[0]) else { return false }
    return fits(bytes.extracting(1...), isRepeated ? end : end.extracting(1...))
  }

  private static func fits(_ byte: UInt8, _ sign: UInt8) -> Bool {
    switch sign {
    case UInt8(ascii: "#"): digits.contains(byte)
    case UInt8(ascii: "x"): hexDigits.contains(byte)
    case UInt8(ascii: "?"): byte != underscore
    case UInt8(ascii: "%"): true
    case _: byte == sign
    }
  }

  /// `N (conflicted copy …)`, `N (X's conflicted copy …)`, `N (conflict_on_…)`, `N (SFConflict …)`; a
  /// number may follow.
  private static func withoutParentheses(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard stem.last == UInt8(ascii: ")"), let start = stem.lastParenthesis else {
      return nil
    }
    let inside = stem[start.upperBound...].dropLast()
    if inside.allSatisfy(digits.contains) { return withoutParentheses(stem[..<start.lowerBound]) }
    let isCopy =
      inside.starts(with: "conflict_on_".utf8) || inside.starts(with: "SFConflict ".utf8)
      || saysCopy(inside)
    if isCopy { return stem[..<start.lowerBound] }
    // The number may stand inside: `(X's conflicted copy 2026-11-20 (1))`.
    guard inside.last == UInt8(ascii: ")"),
      let outer = stem[..<start.lowerBound].lastParenthesis,
      saysCopy(stem[outer.upperBound..<start.lowerBound])
    else { return nil }
    return stem[..<outer.lowerBound]
  }

  private static func saysCopy(_ words: ArraySlice<UInt8>) -> Bool {
    // Nearly all parentheses are none.
    let lower = String(decoding: words, as: UTF8.self).lowercased().utf8
    return copyWords.contains { lower.contains($0) }
  }
}

extension RelativePath {
  /// The file that a file is a conflict copy of, going by its name; `nil` if it is none.
  package var original: RelativePath? {
    ConflictCopyName.original(of: lastComponent).map { sibling($0) }
  }
}

extension ArraySlice<UInt8> {
  /// Where a parenthesis begins last, with the space before it.
  fileprivate var lastParenthesis: Range<Int>? {
    indices.dropLast().last { self[$0] == UInt8(ascii: " ") && self[$0 + 1] == UInt8(ascii: "(") }
      .map { $0..<$0 + 2 }
  }
}
