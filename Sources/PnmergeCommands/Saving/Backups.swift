import ArgumentParser
import Peernote

/// Old states of documents, kept for `undo` under `$XDG_STATE_HOME/peernote/backups`.
///
/// A directory named by the document's UUID holds, for each state, `NUMBER.peernote` with the
/// bytes and `NUMBER.txt` with a description, one item a line: what was done, when, to which file
/// and which heads the file had afterwards. The bytes are called `NUMBER.new`, and marked as in
/// use, until both files are complete. So a `NUMBER.new` that nobody uses, and a description
/// without bytes, are what a killed run left; the next one clears them. Only the newest ``kept``
/// states of a document stay.
struct Backups {
  private let host: any Host
  private let directory: FileName

  /// States kept of one document.
  static let kept = 20

  /// The backups of a document.
  init(of document: UniqueID, host: any Host) throws(Failure) {
    self.host = host
    directory = try StateDirectory.name(host).appending("backups")
      .appending(document.description)
  }

  // MARK: Keeping

  /// Keeps a state of a file, before it gets other heads by an action.
  ///
  /// The file is absolute and without links. What takes changes out of a file waits until all is on the
  /// disk (`isDurable`).
  func keep(
    _ bytes: [UInt8], before action: BackupEntry.Action, of file: FileName, at time: Timestamp,
    heads: [ChangeID], isDurable: Bool = false
  ) throws(Failure) {
    do throws(HostError) {
      try host.makeDirectories(directory)
      let (number, open) = try begin()
      let entry = BackupEntry(number: number, action: action, time: time, file: file, heads: heads)
      try complete(entry, open, with: bytes, isDurable)
      try prune()
    } catch {
      throw directory.failure(.ioError, "cannot keep the old bytes for undo: \(error.explanation)")
    }
  }

  /// Takes a number for a new state and opens the file for its bytes.
  private func begin() throws(HostError) -> (number: Int, open: OpenFile) {
    var number = (try states().keys.max() ?? 0) + 1
    // Another process may be keeping a state of the same document.
    while true {
      do throws(HostError) {
        let open = try host.createExclusively(name(number, .unfinished))
        // It may even have completed one under this number since we looked; then ours is left over.
        if try !exists(name(number, .description)) { return (number, open) }
        host.close(open)
      } catch {
        guard error.kind == .alreadyExists else { throw error }
      }
      number += 1
    }
  }

  /// Fills a state and gives it its name; what cannot be completed is removed.
  private func complete(
    _ entry: BackupEntry, _ open: OpenFile, with bytes: [UInt8], _ isDurable: Bool
  ) throws(HostError) {
    // Closed last: until then the state counts as that of a living process.
    defer { host.close(open) }
    do throws(HostError) {
      try fill(open, with: bytes, isDurable)
      try describe(entry, isDurable)
      try host.rename(
        name(entry.number, .unfinished), to: name(entry.number, .bytes), replacing: false)
      if isDurable { try host.synchronizeDirectory(directory) }
    } catch {
      try? remove(entry.number)
      throw error
    }
  }

  private func fill(_ open: OpenFile, with bytes: [UInt8], _ isDurable: Bool) throws(HostError) {
    try host.write(bytes[...], to: open)
    if isDurable { try host.synchronize(open) }
  }

  private func describe(_ entry: BackupEntry, _ isDurable: Bool) throws(HostError) {
    let open = try host.createExclusively(name(entry.number, .description))
    defer { host.close(open) }
    try fill(open, with: entry.bytes(), isDurable)
  }

  /// Clears what killed runs left, and the oldest states beyond those that are kept.
  private func prune() throws(HostError) {
    var complete: [Int] = []
    for (number, parts) in try states().sorted(by: { $0.key < $1.key }) {
      if parts.contains(.bytes) {
        complete.append(number)
        // Killed after it was given its name, and before it lost the other.
        if parts.contains(.unfinished) { _ = host.removeAbandoned(name(number, .unfinished)) }
      } else if host.removeAbandoned(name(number, .unfinished)), try !exists(name(number, .bytes)) {
        // Its process did not complete it a moment ago, and so never will.
        try removeIfPresent(name(number, .description))
      }
    }
    for number in complete.dropLast(Self.kept) { try remove(number) }
  }

  /// Removes a state, its bytes first: what follows then counts as left over.
  private func remove(_ number: Int) throws(HostError) {
    for part in Part.allCases { try removeIfPresent(name(number, part)) }
  }

  private func exists(_ file: FileName) throws(HostError) -> Bool {
    try host.identity(of: file, followingLinks: false) != nil
  }

  private func removeIfPresent(_ file: FileName) throws(HostError) {
    do throws(HostError) {
      try host.remove(file)
    } catch {
      if error.kind != .notFound { throw error }
    }
  }

  /// Removes all kept states of the document, of whatever file; gives how many there were.
  func clear() throws(Failure) -> Int {
    do throws(HostError) {
      let numbers = try states().keys.sorted()
      for number in numbers { try remove(number) }
      return numbers.count
    } catch {
      throw directory.failure(.ioError, "cannot remove what is kept for undo: \(error.explanation)")
    }
  }

  /// How many states are kept.
  func count() throws(Failure) -> Int {
    try directory.reading(states().count)
  }

  // MARK: Finding

  /// The kept states, newest first.
  func entries() throws(Failure) -> [BackupEntry] {
    let states = try directory.reading(states()).filter { $0.value.contains(.bytes) }
    return states.keys.sorted(by: >).compactMap { number in
      let description = try? host.read(name(number, .description), limit: 1 << 24)
      return description.flatMap { BackupEntry(number: number, encoded: $0.bytes) }
    }
  }

  /// The file that holds an entry's bytes; an ordinary document.
  func file(of entry: BackupEntry) -> FileName {
    name(entry.number, .bytes)
  }

  /// Which files there are of each state.
  private func states() throws(HostError) -> [Int: Set<Part>] {
    guard try host.identity(of: directory, followingLinks: true) != nil else { return [:] }
    var result: [Int: Set<Part>] = [:]
    for file in try host.entries(of: directory) {
      let pieces = file.visible.split(separator: ".")
      guard pieces.count == 2, let number = Int(pieces[0]),
        let part = Part(rawValue: String(pieces[1]))
      else { continue }
      result[number, default: []].insert(part)
    }
    return result
  }

  /// The files of one state, by their extensions, in the order in which they are removed.
  private enum Part: String, CaseIterable {
    case unfinished = "new"
    case bytes = "peernote"
    case description = "txt"
  }

  private func name(_ number: Int, _ part: Part) -> FileName {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
    return directory.appending("\(zeros)\(digits).\(part.rawValue)")
  }
}

/// The description of a kept state of a document.
struct BackupEntry: Hashable, Sendable {
  /// What was done to the file after the state was kept.
  enum Action: String, CaseIterable, Sendable {
    case merge
    case edit
    case undo
    case redo
  }

  var number: Int
  var action: Action
  var time: Timestamp
  /// The file, absolute and without links.
  var file: FileName
  /// The heads that the file had afterwards, in ascending order.
  var heads: [ChangeID]

  /// The description as text; the file's name is percent-encoded.
  func bytes() -> [UInt8] {
    let lines = [
      "action \(action.rawValue)", "time \(time.milliseconds)", "file \(file.percentEncoded)",
      "heads " + heads.map(\.description).joined(separator: " "),
    ]
    return Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
  }
}

extension BackupEntry {
  /// Reads what ``bytes()`` wrote; `nil` for anything else, such as a half-written description.
  init?(number: Int, encoded bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else {
      return nil
    }
    let lines = text.splitAtLineFeeds().map { $0.split(separator: " ").map(String.init) }
    guard lines.map(\.first) == ["action", "time", "file", "heads"],
      lines[0...2].allSatisfy({ $0.count == 2 }), let action = Action(rawValue: lines[0][1]),
      let milliseconds = Int64(lines[1][1]), let file = FileName(percentEncoded: lines[2][1])
    else { return nil }
    let heads = lines[3].dropFirst().map { ChangeID($0) }
    guard !heads.contains(nil) else { return nil }
    self.init(
      number: number, action: action, time: Timestamp(milliseconds: milliseconds), file: file,
      heads: heads.compactMap(\.self))
  }
}

/// Where the old bytes of a file go before it is replaced.
struct BackupPolicy: ParsableArguments {
  @Flag(help: ArgumentHelp("Keep no old bytes; the change cannot be undone.", visibility: .hidden))
  var noBackup = false

  /// Keeps the old bytes, and gives whether `undo` will find them.
  ///
  /// A union loses nothing, so that they cannot be kept is only worth a warning.
  @discardableResult
  func keep(
    _ old: FileContents, before action: BackupEntry.Action, of file: FileName,
    becoming state: DocumentHeads, _ invocation: Invocation
  ) throws -> Bool {
    // Of a file that is gone whoever writes tells.
    guard !noBackup, let target = try? invocation.host.resolved(file) else { return false }
    let time = try invocation.currentTime()
    do throws(Failure) {
      try Backups(of: state.id, host: invocation.host).keep(
        old.bytes, before: action, of: target, at: time, heads: state.heads)
      return true
    } catch {
      try invocation.console.warn(error.message)
      return false
    }
  }
}

/// Where this machine keeps what does not belong into documents: `$XDG_STATE_HOME/peernote`.
enum StateDirectory {
  /// The directory's name; it need not exist.
  static func name(_ host: any Host) throws(Failure) -> FileName {
    // Only absolute names count (XDG Base Directory Specification).
    if let state = host.environment("XDG_STATE_HOME"), state.first == UInt8(ascii: "/") {
      return FileName(bytes: state).appending("peernote")
    }
    guard let home = host.homeDirectory else {
      throw Failure(.cannotCreate, "there is neither XDG_STATE_HOME nor a home directory")
    }
    return home.appending(".local").appending("state").appending("peernote")
  }
}

extension Host {
  /// Creates a directory and those above it, as far as they are missing.
  func makeDirectories(_ directory: FileName, arePrivate: Bool = true) throws(HostError) {
    var missing: [FileName] = []
    var next = directory
    while try identity(of: next, followingLinks: true) == nil {
      missing.append(next)
      next = next.directory
    }
    for directory in missing.reversed() {
      do throws(HostError) {
        try makeDirectory(directory, isPrivate: arePrivate)
      } catch {
        if error.kind != .alreadyExists { throw error }
      }
    }
  }
}
