import Peernote

/// Which name each note is to have in each folder.
///
/// The name that was given last counts, wherever that was: a folder knows since when a note has its
/// name there. But each machine knows only when it saw the name first, and two machines may carry
/// two names to each other for ever: then that counts which is first in the alphabet. Of two notes
/// with one name the younger gets a number. All of this follows from the documents and from when
/// names were first seen, so that folders which meet in any order end with the same names.
struct NamePlan {
  /// The name of a note in a folder.
  struct Target {
    /// Where its file is now; `nil` if the folder lacks it.
    var current: RelativePath?
    /// Where it is to be, and what is to be known of that.
    var place: DocumentFolder.Place
    /// Whether the name has a number, since another note has the name without.
    var isNumbered = false

    var isThere: Bool { current == place.path }
  }

  /// The targets by note and folder.
  private(set) var targets: [[Target]] = []
  private let kind: OpenFolder.Kind
  private let now: Timestamp
  /// The names that are given away in each folder.
  private var taken: [Set<RelativePath>]

  /// Plans the names of n notes, the older ones first, in O(n), but for those whose names clash; new
  /// numbers count from `now` on.
  init(
    _ units: [NoteUnit], _ kind: OpenFolder.Kind, in folders: [OpenFolder], now: Timestamp
  ) {
    (self.kind, self.now) = (kind, now)
    taken = folders.map { _ in [] }
    for unit in units { targets.append(targets(of: unit, in: folders)) }
  }

  private mutating func targets(of unit: NoteUnit, in folders: [OpenFolder]) -> [Target] {
    let places = folders.enumerated().map { number, folder in
      unit.place(in: number).map { folder.place(of: unit, at: $0.path, kind) }
    }
    let known = places.compactMap(\.self)
    // Nearly all have one name.
    let isOne = known.allSatisfy { $0.meaning == known[0].meaning }
    let names = isOne ? [] : Set(known.map(\.meaning))
    let isAlternating = zip(folders, places).contains { folder, place in
      let other = folder[kind].alternateName(of: unit.id).flatMap(kind.note)
      guard names.count == 2, let place, let other else { return false }
      return names == [place.meaning, other]
    }
    let latest =
      isAlternating ? known.min { $0.meaning < $1.meaning } : known.max(by: Self.isEarlier)
    // Names that nobody changed and that differ are left as they are.
    let isSettled =
      isOne || latest?.since != nil || known.allSatisfy { $0.path.original != nil }
    var wanted = (isSettled ? latest : known.first) ?? .init(path: unit.path, since: nil)
    let first = wanted.meaning
    var number = 1
    while true {
      let result = places.map { place -> Target in
        if number == 1, let place, !isSettled || place.meaning == first {
          return Target(current: place.path, place: place)
        }
        return Target(
          current: place?.path, place: .init(path: wanted.meaning, since: wanted.since),
          isNumbered: number > 1)
      }
      if zip(taken, result).allSatisfy({ !$0.contains($1.place.path) }) {
        for (folder, target) in result.enumerated() { taken[folder].insert(target.place.path) }
        return result
      }
      number += 1
      wanted = .init(path: NumberedName.name(first, number), since: now)
    }
  }

  /// Whether a name was given before another one; of two given at once the first in the alphabet
  /// counts as the later.
  private static func isEarlier(
    _ left: DocumentFolder.Place, than right: DocumentFolder.Place
  ) -> Bool {
    let (first, second) = (left.since?.milliseconds ?? .min, right.since?.milliseconds ?? .min)
    return first != second ? first < second : left.meaning > right.meaning
  }
}

extension OpenFolder {
  /// What is known of the place of a note that is at a path.
  fileprivate func place(
    of unit: NoteUnit, at path: RelativePath, _ kind: Kind
  ) -> DocumentFolder.Place {
    guard !unit.isOneOfSeveral, let known = self[kind].place(of: unit.id),
      known.path == kind.document(of: path),
      let meaning = known.meaning == known.path ? path : kind.note(of: known.meaning)
    else { return .init(path: path, since: nil) }
    return .init(path: path, since: known.since, meaning: meaning)
  }
}

extension RelativePath {
  /// The path that a file had before it was put into the trash of its folder.
  var outOfTrash: RelativePath {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let hidden = parts.firstIndex(where: { $0.elementsEqual(FolderListing.hiddenName) })
    else { return self }
    let kept = parts[..<hidden] + parts[(hidden + 1)...].dropFirst()
    return RelativePath(bytes: kept.joined(separator: CollectionOfOne(UInt8(ascii: "/"))))
  }
}

/// Names for files whose own name is taken, or cannot be had.
enum NumberedName {
  /// `stem (2).ext` and so on, of 255 bytes at most, for the file at a path, numbered from 2.
  static func name(_ path: RelativePath, _ number: Int) -> RelativePath {
    let (name, suffix) = (path.lastComponent, Array(" (\(number))".utf8))
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let (stem, ending) = (name[..<dot], name[dot...])
    // A character of UTF-8 is not cut.
    var kept = stem.prefix(max(0, FileName.longestComponent - suffix.count - ending.count))
    if kept.count < stem.count {
      while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
      if let last = kept.last, last >= 0xC0 { kept.removeLast() }
    }
    return path.sibling(kept + suffix + ending)
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

  /// The path with every byte replaced that FAT, exFAT or NTFS refuse in a name: what is no UTF-8,
  /// control characters, `"*:<>?\|`, and blanks and full stops at the end of a component.
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
