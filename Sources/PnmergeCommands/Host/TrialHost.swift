import Peernote

/// A machine on which a dry run does all that the real run does, and which leaves the real machine as it
/// is: what is written, renamed and removed stays in memory.
///
/// All else is that of the real machine, but for time that is waited: it passes at once.
final class TrialHost: Host {
  /// What is to stand under a name.
  private final class Entry {
    var identity: FileIdentity
    /// What a file holds that was written here.
    var bytes: [UInt8] = []
    /// The file of the real machine that holds it, if it was not.
    var original: FileName?

    init(_ identity: FileIdentity, original: FileName? = nil) {
      (self.identity, self.original) = (identity, original)
    }
  }

  let real: any Host
  let workingDirectory: FileName
  /// What differs from the real machine, by place; `nil` where nothing is any more.
  private var changes: [FileName: Entry?] = [:]
  /// The names of these places in each directory.
  private var changedNames: [FileName: Set<FileName>] = [:]
  /// The places of directories.
  private var directories: [FileName: FileName] = [:]
  private var opened: [Int32: Entry] = [:]
  private var ticks: Int64 = 0
  /// How many milliseconds were waited.
  private var waited: Int64 = 0

  init(over real: any Host) {
    self.real = real
    workingDirectory = real.workingDirectory
  }

  // MARK: Places

  /// The name of a file without a link among the directories on the way.
  private func place(of file: FileName) -> FileName {
    let name = file.absolute(from: workingDirectory)
    let last = name.lastComponent
    if ["", ".", ".."].contains(last) { return (try? real.resolved(name)) ?? name }
    return directory(name.directory).appending(last)
  }

  private func directory(_ name: FileName) -> FileName {
    if let known = directories[name] { return known }
    // One that is only made here is in one that is there.
    let place = (try? real.resolved(name)) ?? place(of: name)
    directories[name] = place
    return place
  }

  /// The place of what a link leads to.
  private func behindLink(_ file: FileName) -> FileName {
    let place = place(of: file)
    return changes[place] == nil ? (try? real.resolved(place)) ?? place : place
  }

  private func put(_ entry: Entry?, at place: FileName) {
    changes.updateValue(entry, forKey: place)
    changedNames[place.directory, default: []].insert(place.lastComponent)
  }

  /// What is at a place; of the real machine it is no change yet.
  private func entry(at place: FileName) throws(HostError) -> Entry {
    if let change = changes[place] {
      guard let change else { throw HostError.notFound }
      return change
    }
    guard let identity = try real.identity(of: place, followingLinks: false) else {
      throw HostError.notFound
    }
    return Entry(identity, original: place)
  }

  /// Throws if names in the directory of a place cannot be changed.
  private func checkDirectory(of place: FileName) throws(HostError) -> FileIdentity {
    let directory = place.directory
    guard let identity = try identity(of: directory, followingLinks: false),
      identity.kind == .directory
    else { throw HostError.notFound }
    if !isWritable(directory) { throw HostError(.notPermitted, "permission denied") }
    if place.lastComponent.bytes.count > FileName.longestComponent {
      throw HostError(.other, "file name too long")
    }
    return identity
  }

  /// The time now in nanoseconds, a different one each time, and never one of a coarse clock.
  private func tick() -> Int64 {
    ticks += 1
    return now.milliseconds * 1_000_000 + ticks % 999_999 + 1
  }

  /// Makes an entry that does not exist.
  private func create(
    _ kind: FileIdentity.Kind, mode: UInt32, at place: FileName
  ) throws(HostError) -> Entry {
    let directory = try checkDirectory(of: place)
    if try identity(of: place, followingLinks: false) != nil {
      throw HostError(.alreadyExists, "file exists")
    }
    let time = tick()
    let entry = Entry(
      FileIdentity(
        kind: kind, device: directory.device, inode: .max - UInt64(ticks), size: 0, modified: time,
        changed: time, mode: mode, owner: directory.owner, group: directory.group, linkCount: 1))
    put(entry, at: place)
    return entry
  }
}

// MARK: - Files

extension TrialHost {
  func read(
    _ file: FileName, limit: Int, beginning: FileBeginning
  ) throws(HostError) -> FileContents {
    let place = behindLink(file)
    guard changes[place] != nil else {
      return try real.read(place, limit: limit, beginning: beginning)
    }
    let entry = try entry(at: place)
    if entry.identity.kind == .directory { throw HostError(.isDirectory, "is a directory") }
    if let original = entry.original {
      let contents = try real.read(original, limit: limit, beginning: beginning)
      return FileContents(bytes: contents.bytes, identity: entry.identity)
    }
    if entry.bytes.count > limit { throw HostError(.tooLarge, "file too large") }
    return FileContents(bytes: entry.bytes, identity: entry.identity)
  }

  func readAround(_ file: FileName) throws(HostError) -> PartialContents {
    PartialContents(bytes: try read(file, limit: .max).bytes)
  }

  func identity(
    of file: FileName, ifItHolds bytes: [UInt8]
  ) throws(HostError) -> FileIdentity? {
    let contents = try read(file, limit: .max)
    return contents.bytes == bytes ? contents.identity : nil
  }

  func identity(of file: FileName, followingLinks: Bool) throws(HostError) -> FileIdentity? {
    let place = followingLinks ? behindLink(file) : place(of: file)
    if let change = changes[place] { return change?.identity }
    return try real.identity(of: place, followingLinks: followingLinks)
  }

  func resolved(_ file: FileName) throws(HostError) -> FileName {
    let place = place(of: file)
    guard let change = changes[place] else { return try real.resolved(place) }
    if change == nil { throw HostError.notFound }
    return place
  }

  func isWritable(_ file: FileName) -> Bool {
    let place = behindLink(file)
    guard let change = changes[place] else { return real.isWritable(place) }
    guard let change else { return true }
    return change.original.map { real.isWritable($0) } ?? (change.identity.mode & 0o200 != 0)
  }

  func entries(of directory: FileName) throws(HostError) -> [FileName] {
    let place = behindLink(directory)
    var names: [FileName] = []
    if changes[place] == nil {
      names = try real.entries(of: place)
    } else if try entry(at: place).identity.kind != .directory {
      throw HostError(.notFound, "not a directory")
    }
    guard let changed = changedNames[place] else { return names }
    return names.filter { !changed.contains($0) }
      + changed.filter { (changes[place.appending($0)] ?? nil) != nil }.sorted()
  }

  func identities(
    of names: [FileName], in directory: FileName
  ) throws(HostError) -> [FileIdentity?] {
    let place = behindLink(directory)
    var identities: [FileIdentity?] = names.map { _ in nil }
    if changes[place] == nil { identities = try real.identities(of: names, in: place) }
    guard changedNames[place] != nil else { return identities }
    for (number, name) in names.enumerated() {
      if let change = changes[place.appending(name)] { identities[number] = change?.identity }
    }
    return identities
  }

  func confine(below root: FileName) { real.confine(below: root) }

  func lock(
    _ file: FileName, waiting milliseconds: Int, whenWaiting: () -> Void
  ) throws(HostError) -> FileLock {
    let place = behindLink(file)
    if let change = changes[place] {
      if change == nil { throw HostError.notFound }
      // Nobody else knows the file.
      return FileLock(number: -1)
    }
    return try real.lock(place, waiting: milliseconds, whenWaiting: whenWaiting)
  }

  func unlock(_ lock: FileLock) { if lock.number >= 0 { real.unlock(lock) } }

  func createExclusively(_ file: FileName) throws(HostError) -> OpenFile {
    let entry = try create(.regular, mode: 0o600, at: place(of: file))
    let open = OpenFile(number: Int32(truncatingIfNeeded: ticks))
    opened[open.number] = entry
    return open
  }

  func write(_ bytes: ArraySlice<UInt8>, to file: OpenFile) throws(HostError) {
    guard let entry = opened[file.number] else { throw HostError.notFound }
    entry.bytes += bytes
    entry.identity.size = Int64(entry.bytes.count)
    entry.identity.modified = tick()
    entry.identity.changed = entry.identity.modified
  }

  func setAttributes(
    of file: OpenFile, like identity: FileIdentity?, modeLimit: UInt32
  ) throws(HostError) {
    guard let entry = opened[file.number] else { throw HostError.notFound }
    entry.identity.mode = (identity?.mode ?? 0o644) & modeLimit
    entry.identity.owner = identity?.owner ?? entry.identity.owner
    entry.identity.group = identity?.group ?? entry.identity.group
  }

  func synchronize(_ file: OpenFile) throws(HostError) {}
  func close(_ file: OpenFile) { opened[file.number] = nil }

  func rename(_ file: FileName, to target: FileName, replacing: Bool) throws(HostError) {
    let (from, to) = (place(of: file), place(of: target))
    for place in [from, to] { _ = try checkDirectory(of: place) }
    let entry = try entry(at: from)
    if let there = try identity(of: to, followingLinks: false) {
      if !replacing { throw HostError(.alreadyExists, "file exists") }
      if there.kind == .directory { throw HostError(.isDirectory, "is a directory") }
    }
    put(nil, at: from)
    put(entry, at: to)
    // So it is on Linux.
    entry.identity.changed = tick()
  }

  /// A renaming does as well: nobody else writes here meanwhile.
  func exchange(_ first: FileName, with second: FileName) throws(HostError) -> Bool { false }

  func touch(_ file: FileName) throws(HostError) {
    let place = place(of: file)
    let entry = try entry(at: place)
    entry.identity.modified = tick()
    entry.identity.changed = entry.identity.modified
    put(entry, at: place)
  }

  func synchronizeDirectory(_ directory: FileName) throws(HostError) {}

  func remove(_ file: FileName) throws(HostError) {
    let place = place(of: file)
    _ = try checkDirectory(of: place)
    if try entry(at: place).identity.kind == .directory {
      throw HostError(.isDirectory, "is a directory")
    }
    put(nil, at: place)
  }

  /// Takes all processes for gone but this one, which makes no difference to what is said.
  func removeAbandoned(_ file: FileName) -> Bool {
    guard let entry = try? entry(at: place(of: file)) else { return true }
    if opened.values.contains(where: { $0 === entry }) { return false }
    return (try? remove(file)) != nil
  }

  func makeDirectory(_ directory: FileName, isPrivate: Bool) throws(HostError) {
    _ = try create(.directory, mode: isPrivate ? 0o700 : 0o755, at: place(of: directory))
  }

  func removeDirectory(_ directory: FileName) throws(HostError) {
    let place = place(of: directory)
    _ = try checkDirectory(of: place)
    guard try entry(at: place).identity.kind == .directory, try entries(of: place).isEmpty else {
      throw HostError(.other, "not a directory, or not empty")
    }
    put(nil, at: place)
  }

  func holdSignals() { real.holdSignals() }
  func releaseSignals() { real.releaseSignals() }
  var isInterrupted: Bool { real.isInterrupted }
  func randomBits() -> UInt64 { real.randomBits() }
}

// MARK: - All else

extension TrialHost {
  func readStandardInput(
    limit: Int, beginning: FileBeginning
  ) throws(HostError) -> [UInt8] {
    try real.readStandardInput(limit: limit, beginning: beginning)
  }

  func write(_ bytes: [UInt8], to stream: StandardStream) throws(HostError) {
    try real.write(bytes, to: stream)
  }

  func isTerminal(_ stream: StandardStream) -> Bool { real.isTerminal(stream) }

  func readLineFromTerminal(whenResumed: () -> Void) throws(HostError) -> [UInt8]? {
    try real.readLineFromTerminal(whenResumed: whenResumed)
  }

  func startTicking(_ tick: @escaping @Sendable (Int64, ([UInt8]) -> Void) -> Void) {
    real.startTicking(tick)
  }

  func watch(_ directories: [FileName]) throws(HostError) { try real.watch(directories) }

  func waitForChange(milliseconds: Int) throws(HostError) -> Bool {
    waited += Int64(milliseconds)
    return false
  }

  var now: Timestamp { Timestamp(milliseconds: real.now.milliseconds + waited) }
  var monotonicMilliseconds: Int64 { real.monotonicMilliseconds }
  func secondsFromUTC(at time: Timestamp) -> Int { real.secondsFromUTC(at: time) }
  func environment(_ name: String) -> [UInt8]? { real.environment(name) }

  func environmentNames(beginningWith prefix: String) -> [String] {
    real.environmentNames(beginningWith: prefix)
  }

  var loginName: String { real.loginName }
  var homeDirectory: FileName? { real.homeDirectory }
  var executable: FileName? { real.executable }

  func run(_ arguments: [FileName], input: [UInt8]?) throws(HostError) -> ProcessResult {
    try real.run(arguments, input: input)
  }
}
