import Peernote

/// Old states of documents, kept for `undo` under `$XDG_STATE_HOME/peernote/backups`.
///
/// A directory named by the document's UUID holds, for each state, `NUMBER.peernote` with the
/// bytes and `NUMBER.txt` with a description, one item a line: what was done, when, to which file
/// and which heads the file had afterwards. The description is written last; bytes without one
/// are what a killed run left. Only the newest ``kept`` states of a document stay.
struct Backups {
  private let host: any Host
  private let directory: FileName

  /// States kept of one document.
  static let kept = 20

  /// The backups of a document.
  ///
  /// - Throws: ``Failure`` if there is no place for them.
  init(of document: UniqueID, host: any Host) throws(Failure) {
    self.host = host
    directory = try Self.root(host).appending(document.description)
  }

  private static func root(_ host: any Host) throws(Failure) -> FileName {
    // Only absolute names count (XDG Base Directory Specification).
    if let state = host.environment("XDG_STATE_HOME"), state.first == UInt8(ascii: "/") {
      return FileName(bytes: state).appending("peernote").appending("backups")
    }
    guard let home = host.homeDirectory else {
      throw Failure(.cannotCreate, "there is neither XDG_STATE_HOME nor a home directory")
    }
    return home.appending(".local").appending("state").appending("peernote").appending("backups")
  }

  // MARK: Keeping

  /// Keeps a state of a file, before it gets other heads by an action.
  ///
  /// - Parameters:
  ///   - bytes: what the file holds.
  ///   - action: what is about to be done to it.
  ///   - file: the file, absolute and without links.
  ///   - time: when that is.
  ///   - heads: the heads that the file will have.
  ///   - isDurable: waits until all is on the disk, for actions that take changes out of a file.
  /// - Throws: ``Failure`` if the bytes could not be kept.
  func keep(
    _ bytes: [UInt8], before action: BackupEntry.Action, of file: FileName, at time: Timestamp,
    heads: [ChangeID], isDurable: Bool = false
  ) throws(Failure) {
    do throws(HostError) {
      try makeDirectories()
      var number = (try numbers().max() ?? 0) + 1
      var open: OpenFile?
      // Another process may be keeping a state of the same document.
      while open == nil {
        do throws(HostError) {
          open = try host.createExclusively(name(number, "peernote"))
        } catch {
          guard error.kind == .alreadyExists else { throw error }
          number += 1
        }
      }
      if let open { try fill(open, with: bytes, isDurable) }
      let entry = BackupEntry(number: number, action: action, time: time, file: file, heads: heads)
      try fill(
        host.createExclusively(name(number, "txt")), with: entry.encoded(), isDurable)
      if isDurable { try host.synchronizeDirectory(directory) }
      try prune()
    } catch {
      throw Failure(
        .ioError, file: directory, "cannot keep the old bytes for undo: \(error.explanation)")
    }
  }

  private func fill(
    _ open: OpenFile, with bytes: [UInt8], _ isDurable: Bool
  ) throws(HostError) {
    defer { host.close(open) }
    try host.write(bytes, to: open)
    if isDurable { try host.synchronize(open) }
  }

  private func makeDirectories() throws(HostError) {
    var missing: [FileName] = []
    var next = directory
    while try host.identity(of: next, followingLinks: true) == nil {
      missing.append(next)
      next = next.directory
    }
    for directory in missing.reversed() {
      do throws(HostError) {
        try host.makeDirectory(directory)
      } catch {
        if error.kind != .alreadyExists { throw error }
      }
    }
  }

  private func prune() throws(HostError) {
    for number in try numbers().sorted().dropLast(Self.kept) { try remove(number) }
  }

  private func remove(_ number: Int) throws(HostError) {
    for suffix in ["txt", "peernote"] {
      do throws(HostError) {
        try host.remove(name(number, suffix))
      } catch {
        if error.kind != .notFound { throw error }
      }
    }
  }

  /// Removes all kept states of the document, of whatever file.
  ///
  /// - Returns: how many there were.
  func clear() throws(Failure) -> Int {
    do throws(HostError) {
      let numbers = try numbers()
      for number in numbers.sorted() { try remove(number) }
      return numbers.count
    } catch {
      throw Failure(
        .ioError, file: directory, "cannot remove what is kept for undo: \(error.explanation)")
    }
  }

  /// How many states are kept.
  func count() throws(Failure) -> Int {
    do throws(HostError) {
      return try numbers().count
    } catch {
      throw error.whileReading(directory)
    }
  }

  // MARK: Finding

  /// The kept states, newest first.
  func entries() throws(Failure) -> [BackupEntry] {
    do throws(HostError) {
      var result: [BackupEntry] = []
      for number in try numbers().sorted(by: >) {
        let description = try? host.read(name(number, "txt"), limit: 1 << 24)
        if let description, let entry = BackupEntry(number: number, encoded: description.bytes) {
          result.append(entry)
        }
      }
      return result
    } catch {
      throw error.whileReading(directory)
    }
  }

  /// The file that holds an entry's bytes; an ordinary document.
  func file(of entry: BackupEntry) -> FileName {
    name(entry.number, "peernote")
  }

  private func numbers() throws(HostError) -> Set<Int> {
    guard try host.identity(of: directory, followingLinks: true) != nil else { return [] }
    return Set(
      try host.entries(of: directory).compactMap {
        Int(String(decoding: $0.stem.bytes, as: UTF8.self))
      })
  }

  private func name(_ number: Int, _ suffix: String) -> FileName {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
    return directory.appending("\(zeros)\(digits).\(suffix)")
  }
}
