import Peernote

/// A document that is to have at most one file in each folder, by one name.
protocol FolderUnit {
  /// What its files are to the folders.
  static var kind: OpenFolder.Kind { get }
  var id: UniqueID { get }
  /// Whether a folder holds further copies of the document, so that no renaming can be told from a
  /// copy.
  var isOneOfSeveral: Bool { get }
  /// The path for a note that has no file of its own.
  var home: RelativePath { get }

  /// The path of its file in a folder; `nil` if that lacks it.
  func path(in folder: Int) -> RelativePath?
}

/// Where a note is.
struct NotePlaces {
  /// Its place in each folder; `nil` for a folder that lacks it.
  var places: [DocumentFolder.Place?]
  /// The other name in each folder, where the note goes back and forth between two.
  private var alternateNames: [RelativePath?]
  /// The path for a note that is nowhere: of which there are conflict copies only, or that came
  /// back from the trash.
  var home: RelativePath

  init<Unit: FolderUnit>(of unit: Unit, in folders: [OpenFolder]) {
    let kind = Unit.kind
    places = folders.enumerated().map { number, folder in
      guard let path = unit.path(in: number) else { return nil }
      let known = unit.isOneOfSeveral ? nil : folder[kind].place(of: unit.id)
      guard let known, known.path == kind.document(of: path),
        let meaning = known.meaning == known.path ? path : kind.note(of: known.meaning)
      else { return .init(path: path, since: nil) }
      return .init(path: path, since: known.since, meaning: meaning)
    }
    alternateNames = folders.map { $0[kind].alternateName(of: unit.id).flatMap(kind.note) }
    home = unit.home
  }

  /// Whether two names are those between which the note goes back and forth.
  func isAlternating(between names: Set<RelativePath>) -> Bool {
    zip(places, alternateNames).contains { place, alternate in
      guard let place, let alternate else { return false }
      return names == [place.meaning, alternate]
    }
  }
}

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
    /// Where it is to be.
    var path: RelativePath
    /// What is to be known of it then.
    var place: DocumentFolder.Place
    /// Whether that name has a number, since another note has the name without.
    var isNumbered = false

    /// Whether its file is where it is to be.
    var isThere: Bool { current == path }
  }

  /// The targets by note and folder.
  private(set) var targets: [[Target]] = []
  private let now: Timestamp
  /// The names that are given away in each folder.
  private var taken: [Set<RelativePath>]

  /// Plans the names of notes, the older ones first, by where each is in each folder.
  ///
  /// O(n) for n notes, but for those whose names clash. New numbers count from `now` on.
  init(_ notes: [NotePlaces], folderCount: Int, now: Timestamp) {
    self.now = now
    taken = Array(repeating: [], count: folderCount)
    for note in notes { targets.append(targets(of: note)) }
  }

  private mutating func targets(of note: NotePlaces) -> [Target] {
    let places = note.places
    if let targets = presentTargets(of: note) { return targets }
    // A name that a run left which was ended early was given by nobody.
    let known = places.compactMap(\.self).filter { NumberedName.path(ofAside: $0.path) == nil }
    let home = NumberedName.path(ofAside: note.home) ?? note.home
    let fallback = DocumentFolder.Place(path: home, since: nil)
    let latest =
      note.isAlternating(between: Set(known.map(\.meaning)))
      ? known.min { $0.meaning < $1.meaning } : known.max { Self.isEarlier($0, than: $1) }
    let isSettled =
      latest?.since != nil || known.allSatisfy { $0.meaning == latest?.meaning }
      || known.allSatisfy { $0.path.original != nil }
    var wanted = (isSettled ? latest : known.first) ?? fallback
    var number = 1
    let first = wanted.meaning
    while true {
      let result = places.map { place -> Target in
        // Names that nobody changed and that differ are left as they are.
        if let place, !isSettled || place.meaning == wanted.meaning, number == 1,
          NumberedName.path(ofAside: place.path) == nil
        {
          return Target(current: place.path, path: place.path, place: place)
        }
        return Target(
          current: place?.path, path: wanted.meaning,
          place: .init(path: wanted.meaning, since: wanted.since), isNumbered: number > 1)
      }
      let isFree = zip(taken, result).allSatisfy { !$0.contains($1.path) }
      if isFree {
        for folder in taken.indices { taken[folder].insert(result[folder].path) }
        return result
      }
      number += 1
      wanted.meaning = NumberedName.name(first, number)
      wanted.since = now
    }
  }

  /// The targets of a note that is in all folders under one name, which is free; `nil` of another.
  private mutating func presentTargets(of note: NotePlaces) -> [Target]? {
    guard let first = note.places[0], NumberedName.path(ofAside: first.path) == nil else {
      return nil
    }
    for (folder, place) in note.places.enumerated() {
      guard let place, place.meaning == first.meaning, !taken[folder].contains(place.path) else {
        return nil
      }
    }
    return note.places.enumerated().compactMap { folder, place in
      guard let place else { return nil }
      taken[folder].insert(place.path)
      return Target(current: place.path, path: place.path, place: place)
    }
  }

  /// Whether a name was given before another one; of two given at once the first in the alphabet
  /// counts as the later.
  private static func isEarlier(
    _ left: DocumentFolder.Place, than right: DocumentFolder.Place
  ) -> Bool {
    let times = (
      left.since?.milliseconds ?? .min, right.since?.milliseconds ?? .min
    )
    return times.0 != times.1 ? times.0 < times.1 : left.meaning > right.meaning
  }
}

extension NoteUnit: FolderUnit {
  static var kind: OpenFolder.Kind { .documents }

  /// That of which its conflict copies are, or at which it was before it was deleted.
  var home: RelativePath {
    guard let copy = copies.first(where: { $0.role == .conflictCopy }) ?? copies.first else {
      preconditionFailure("a note has a copy")
    }
    if copy.role == .tombstone { return copy.home }
    return copy.path.original ?? copy.path
  }

  func path(in folder: Int) -> RelativePath? {
    copies.first { $0.folder == folder && $0.role == .note }?.path
  }
}

extension TrackedUnit: FolderUnit {
  static var kind: OpenFolder.Kind { .tracked }

  var home: RelativePath { path }

  func path(in folder: Int) -> RelativePath? { place(in: folder)?.path }
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
