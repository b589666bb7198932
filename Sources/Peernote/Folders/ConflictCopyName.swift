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
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  private static let syncthing = Array(".sync-conflict-".utf8)
  private static let variant = Array(".variant-".utf8)
  private static let parenthesis = Array(" (".utf8)
  /// What the note in parentheses of a copy says, in lower case, where it may begin with a name.
  private static let copyWords = [
    "conflicted copy", "conflicting copy", "case conflict", "unicode encoding conflict",
    "in konflikt stehende kopie", "copie en conflit", "copia en conflicto", "copia in conflitto",
    "cópia em conflito", "cópia com conflito", "conflicterende kopie", "gekonfliktes exemplar",
    "kopia powodująca konflikt", "конфликтующая копия", "конфликтная копия", "конфліктна копія",
    "konfliktkopia", "modstridende kopi", "競合コピー", "冲突副本", "衝突複本", "충돌된 사본",
  ].map { Array($0.utf8) }
  private static let conflict = Array("_conflict-".utf8)
  private static let gitSides = ["_LOCAL", "_REMOTE", "_BASE", "_BACKUP"].map { Array($0.utf8) }

  /// The name of the file of which a file with some name, without directories, is a conflict copy;
  /// `nil` if it is none.
  package static func original(of name: [UInt8]) -> [UInt8]? { original(of: name[...]) }

  /// The same for a part of a path.
  ///
  /// It copies nothing of a name that is none of a conflict copy.
  package static func original(of name: ArraySlice<UInt8>) -> [UInt8]? {
    if let whole = withoutLastSuffix(name) { return Array(whole) }
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let (stem, suffix) = (name[..<dot], name[dot...])
    let found =
      withoutSyncthing(stem) ?? withoutVariant(stem) ?? withoutParentheses(stem)
      ?? withoutConflictTime(stem) ?? withoutSynology(stem)
      ?? withoutLastSuffix(stem, orGit: false)
      ?? withoutGitSide(stem)
    guard let found, !found.isEmpty else { return nil }
    return Array(found + suffix)
  }

  /// The same for names that programs give which carry files between machines: git's are none.
  package static func deliveredOriginal(of name: ArraySlice<UInt8>) -> [UInt8]? {
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
    let isOfGit = name.suffix(5).elementsEqual(".orig".utf8) || withoutGitSide(stem) != nil
    return isOfGit ? nil : original(of: name)
  }

  /// `N.ext.conflict1`, `N.ext.orig`.
  package static func withoutLastSuffix(
    _ name: ArraySlice<UInt8>, orGit mayBeGit: Bool = true
  ) -> ArraySlice<UInt8>? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let suffix = name[(dot + 1)...]
    let isConflict =
      suffix.starts(with: "conflict".utf8) && suffix.count > 8
      && suffix.dropFirst(8).allSatisfy(digits.contains)
    guard isConflict || mayBeGit && suffix.elementsEqual("orig".utf8) else { return nil }
    return name[..<dot]
  }

  /// `N.sync-conflict-YYYYMMDD-HHMMSS-DEVICE`; copies of copies have it more than once.
  private static func withoutSyncthing(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let start = stem.firstRange(of: syncthing) else { return nil }
    let parts = stem[start.upperBound...].split(separator: UInt8(ascii: "-"))
    guard parts.count >= 2, parts[0].count == 8, parts[1].count >= 6,
      parts[0].allSatisfy(digits.contains), parts[1].prefix(6).allSatisfy(digits.contains)
    else { return nil }
    return stem[..<start.lowerBound]
  }

  /// `N.variant-XXXX`.
  private static func withoutVariant(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let start = stem.lastRange(of: variant) else { return nil }
    let hex = Set("0123456789abcdefABCDEF".utf8)
    let rest = stem[start.upperBound...]
    return rest.count >= 3 && rest.allSatisfy { hex.contains($0) || $0 == UInt8(ascii: "_") }
      ? stem[..<start.lowerBound] : nil
  }

  /// `N (conflicted copy …)`, `N (X's conflicted copy …)`, `N (conflict_on_…)`, `N (SFConflict …)`; a
  /// number may follow.
  private static func withoutParentheses(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard stem.last == UInt8(ascii: ")"), let start = stem.lastRange(of: parenthesis) else {
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
      let outer = stem[..<start.lowerBound].lastRange(of: parenthesis),
      saysCopy(stem[outer.upperBound..<start.lowerBound])
    else { return nil }
    return stem[..<outer.lowerBound]
  }

  private static func saysCopy(_ words: ArraySlice<UInt8>) -> Bool {
    // Nearly all parentheses are none.
    let lower = String(decoding: words, as: UTF8.self).lowercased().utf8
    return copyWords.contains { word in ArraySlice(Array(lower)).firstRange(of: word) != nil }
  }

  /// `N_conflict-YYYYMMDD-HHMMSS`.
  private static func withoutConflictTime(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let start = stem.lastRange(of: conflict) else { return nil }
    let parts = stem[start.upperBound...].split(separator: UInt8(ascii: "-"))
    guard parts.map(\.count) == [8, 6], parts.joined().allSatisfy(digits.contains) else {
      return nil
    }
    return stem[..<start.lowerBound]
  }

  /// `N_HOST_Mon-DD-HHMM-YYYY_Conflict`.
  private static func withoutSynology(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let parts = stem.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[parts.count - 1].elementsEqual("Conflict".utf8) else {
      return nil
    }
    let time = parts[parts.count - 2].split(separator: UInt8(ascii: "-")).map(\.count)
    guard time == [3, 2, 4, 4] else { return nil }
    let tail = parts[(parts.count - 3)...].reduce(3) { $0 + $1.count }
    return stem.dropLast(tail)
  }

  /// `N_LOCAL_123`, and `BASE`, `REMOTE`, `BACKUP` likewise.
  private static func withoutGitSide(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let last = stem.lastIndex(of: UInt8(ascii: "_")), last + 1 < stem.endIndex,
      stem[(last + 1)...].allSatisfy(digits.contains)
    else { return nil }
    let rest = stem[..<last]
    for side in gitSides where rest.count > side.count && rest.suffix(side.count) == side[...] {
      return rest.dropLast(side.count)
    }
    return nil
  }
}

extension RelativePath {
  /// The file that a file is a conflict copy of, going by its name; `nil` if it is none.
  package var original: RelativePath? {
    ConflictCopyName.original(of: lastComponent).map { sibling($0) }
  }
}

extension ArraySlice<UInt8> {
  /// Where other bytes stand first.
  fileprivate func firstRange(of other: [UInt8]) -> Range<Int>? {
    starts(of: other).first { isThere(other, at: $0) }.map { $0..<$0 + other.count }
  }

  /// Where other bytes stand last.
  fileprivate func lastRange(of other: [UInt8]) -> Range<Int>? {
    starts(of: other).last { isThere(other, at: $0) }.map { $0..<$0 + other.count }
  }

  private func isThere(_ other: [UInt8], at place: Int) -> Bool {
    self[place] == other[0] && self[(place + 1)...].starts(with: other[1...])
  }

  /// Where something so long may begin.
  private func starts(of other: [UInt8]) -> Range<Int> {
    startIndex..<Swift.max(startIndex, endIndex - other.count + 1)
  }
}
