import Peernote
import PeernoteJSON

/// How the notes of a folder relate to those of another one.
struct FolderComparison {
  /// What to say, line by line.
  private(set) var lines: [String] = []
  /// What could not be compared.
  private(set) var failures: [Failure] = []
  private(set) var status = ExitStatus.done

  private let folder: OpenFolder
  private let first: OpenFolder
  private var notes: [JSON] = []
  private var onlyHere: [JSON] = []
  private var onlyThere: [JSON] = []
  private var sameCount = 0

  /// Compares a folder with the first one.
  ///
  /// - Throws: ``Failure`` if the run was interrupted.
  init(of folder: OpenFolder, with first: OpenFolder, _ invocation: Invocation) throws {
    (self.folder, self.first) = (folder, first)
    let pairs = FolderPairs(first, folder, withTracked: false)
    sameCount = pairs.pairs.count(where: \.isSame)
    for pair in pairs.pairs where !pair.isSame {
      try compare(pair.files.1, pair.files.1, with: pair.files.0, pair.files.0, invocation)
    }
    for file in pairs.onlyInFirst { add(file, isHere: false, "not in \(folder.name.visible)") }
    for file in pairs.onlyInSecond { add(file, isHere: true, "not in \(first.name.visible)") }
    for unit in [first, folder].trackedUnits() where !unit.isDeleted(in: [first, folder]) {
      let opened = unit.places.map { $0.folder == 0 ? first : folder }
      let names = zip(opened, unit.places).map { $0.shownFile($1.path) }
      let histories = zip(opened, unit.places).map { $0.shownFile($1.path.history) }
      let checksums = zip(opened, unit.places).map { $0.tracked[$1.path.history]?.checksum }
      if names.count == 1 {
        let isHere = unit.places[0].folder == 1
        add(names[0], isHere: isHere, words(of: unit, missingIn: isHere ? first : folder))
      } else if checksums[0] == checksums[1] {
        compareFiles(unit.places.map(\.path), in: opened, names, invocation.host)
      } else {
        try compare(histories[1], names[1], with: histories[0], names[0], invocation)
      }
    }
    for (number, opened) in [first, folder].enumerated() {
      lines += opened.openLines(with: number == 0 ? nil : first)
    }
    lines.append("\(counted(sameCount, "note")) the same in \(folder.name.visible)")
  }

  /// What was found, for programs.
  var json: JSON {
    [
      "folder": .string(folder.name.visible), "same": .count(sameCount), "notes": .array(notes),
      "only_here": .array(onlyHere), "only_there": .array(onlyThere),
      "conflicts": .array(
        [(first, nil), (folder, first)].flatMap { (opened: OpenFolder, other: OpenFolder?) in
          opened.conflictCounts(with: other).map { file, count in
            ["file": .string(opened.shown(file)), "count": .count(count)]
          }
        }),
      "untracked": .array(
        [first, folder].flatMap { folder in
          folder.untrackedTexts.map { .string(folder.shown($0)) }
        }),
    ]
  }

  /// What is said of a tracked file that one of the folders lacks.
  private func words(of unit: TrackedUnit, missingIn other: OpenFolder) -> String {
    let name = other.name.visible
    if !unit.tombstones.isEmpty {
      return "deleted in \(name); 'sync' deletes it here, too, unless it was edited since"
    }
    let path = unit.places[0].path
    guard other.tracked[path.history] != nil else { return "not tracked in \(name)" }
    let files = [folder, first].map { shellQuoted($0.shownFile(path)) }
    return "tracked as another document in \(name); to join them: "
      + "pnmerge adopt \(files.joined(separator: " "))"
  }

  /// Adds a file that one of the folders lacks.
  private mutating func add(_ file: FileName, isHere: Bool, _ words: String) {
    lines.append("\(file.visible): \(words)")
    if isHere {
      onlyHere.append(.string(file.visible))
    } else {
      onlyThere.append(.string(file.visible))
    }
    status = max(status, .different)
  }

  /// Compares two plain files that have the same history, which knows nothing of what was saved since
  /// it was recorded last.
  private mutating func compareFiles(
    _ paths: [RelativePath], in folders: [OpenFolder], _ names: [FileName], _ host: any Host
  ) {
    let isRecorded = zip(paths, folders).allSatisfy { path, folder in
      let known = folder.settled.stamp(of: path)
      return known != nil && known == folder.listing.others[path]?.stamp
    }
    do throws(Failure) {
      var contents: [PlainContents?] = []
      if !isRecorded {
        for (index, path) in paths.enumerated() {
          contents.append(
            try PlainContents(folders[index].root.appending(path), shown: names[index], host))
        }
        if let missing = contents.firstIndex(where: { $0 == nil }) {
          return add(
            names[1 - missing], isHere: missing == 0, "not in \(folders[missing].name.visible)")
        }
      }
      guard isRecorded || contents[0]?.bytes == contents[1]?.bytes else {
        lines.append(
          "\(names[1].visible): differs from \(names[0].visible); a save is not recorded yet")
        notes.append([
          "file": .string(names[1].visible), "relation": "unrecorded",
          "with": .string(names[0].visible),
        ])
        status = max(status, .different)
        return
      }
      sameCount += 1
    } catch {
      failures.append(error)
    }
  }

  /// Compares two copies of a document, which people know by the names of other files if these are
  /// histories.
  private mutating func compare(
    _ file: FileName, _ name: FileName, with base: FileName, _ baseName: FileName,
    _ invocation: Invocation
  ) throws {
    do {
      let document = try invocation.readDocument(base)
      let copy = try invocation.readDocument(file, beside: document)
      let relation: Relation
      do throws(MergeError) {
        relation = try copy.relation(to: document)
      } catch {
        throw error.failure(file, copy, comparedWith: base, document)
      }
      lines.append(relation.sentence(name, copy, comparedWith: baseName, document))
      guard case .object(let members) = relation.json(name) else { return }
      notes.append(.object(members + [.init(name: "with", value: .string(baseName.visible))]))
      // Equal changes may come with different redactions.
      status = max(status, max(relation.status, .different))
    } catch let failure as Failure where failure.status != .interrupted {
      failures.append(failure)
    }
  }
}

extension Failure {
  /// What programs are told.
  var json: JSON {
    [
      "file": .optional(file?.visible), "message": .string(message),
      "status": .count(Int(status.rawValue)),
    ]
  }
}
