import Peernote
import PnmergeCommands

/// A machine that lives in memory, and fails wherever a test wants it to.
///
/// Names are absolute after ``workingDirectory`` was put in front; a symbolic link may only be the
/// last component. Every call that could fail on a real machine is counted, so that a test can
/// fail or kill each of them in turn.
final class MemoryHost: Host {
  /// What a name leads to.
  final class Entry {
    var kind: FileIdentity.Kind
    var bytes: [UInt8] = []
    /// Where the device fails.
    var unreadable: Range<Int>?
    var target: FileName?
    var mode: UInt32
    var owner: UInt32 = 1000
    var group: UInt32 = 1000
    /// The file system.
    var device: UInt64 = 1
    var inode: UInt64
    var modified: Int64
    /// When the file came here, if that is another time.
    var changed: Int64?
    /// Whether the process that writes the file is alive.
    var isInUse = false

    init(kind: FileIdentity.Kind, mode: UInt32, inode: UInt64, modified: Int64) {
      (self.kind, self.mode, self.inode, self.modified) = (kind, mode, inode, modified)
    }
  }

  /// Calls that can fail.
  enum Call: String, CaseIterable {
    case read, lock, create, write, attributes, synchronize, rename, synchronizeDirectory, remove
    case makeDirectory
  }

  // MARK: What a test sets and sees

  var entries: [FileName: Entry] = [:]
  var now = Timestamp(milliseconds: 1_795_183_331_000)
  var monotonicMilliseconds: Int64 = 0
  var zone = 0
  var variables: [String: String] = ["HOME": "/home/me", "PNMERGE_AUTHOR": "me"]
  var loginName = "login"
  var input: [UInt8] = []
  var output: [UInt8] = []
  var errors: [UInt8] = []
  var terminals: Set<StandardStream> = []
  var answers: [String] = []
  var isPipeClosed = false
  var isOutputFull = false
  var locked: Set<UInt64> = []
  /// Runs programs; gets the arguments.
  var program: ([FileName]) -> ProcessResult = { _ in ProcessResult(status: 127) }

  /// The calls made so far.
  private(set) var calls: [Call] = []
  /// Fails the call with this number, from 0.
  var failure: (number: Int, error: HostError)?
  /// Ends the process at the call with this number: it and all later ones do nothing.
  var death: Int?
  /// A signal arrives at the call with this number.
  var interruption: Int?
  /// Looks on at each call, before it is done.
  var witness: (Call) -> Void = { _ in }

  /// What was asked to be called as time passes.
  private var ticks: [@Sendable (Int64, ([UInt8]) -> Void) -> Void] = []
  private var inodes: UInt64 = 100
  private var opened: [Int32: Entry] = [:]
  /// How many random numbers were asked for.
  var random: UInt64 = 0

  init() {
    for directory in ["/", "/work", "/home", "/home/me", "/tmp"] {
      entries[FileName(directory)] = newEntry(.directory, 0o755)
    }
  }

  private func newEntry(_ kind: FileIdentity.Kind, _ mode: UInt32) -> Entry {
    inodes += 1
    return Entry(kind: kind, mode: mode, inode: inodes, modified: tick())
  }

  private var clock: Int64 = 0
  /// Whether files get the time of ``now`` when they are written; else times count from 1970.
  var keepsTime = false
  private func tick() -> Int64 {
    clock += 1
    return keepsTime ? now.milliseconds * 1_000_000 + clock : clock
  }

  /// A directory on a stick with FAT: it refuses some names, and keeps times to two seconds.
  var stick: FileName?

  /// Throws if a name cannot be had where it is to be.
  private func checkName(_ file: FileName) throws(HostError) {
    guard let stick, file.bytes.starts(with: stick.bytes + [UInt8(ascii: "/")]) else { return }
    let refused = Set("\"*:<>?\\|".utf8)
    if file.bytes.contains(where: { refused.contains($0) || $0 >= 0x80 }) {
      throw HostError(.other, "invalid argument")
    }
  }

  /// Counts a call and fails it if it is to fail.
  private func enter(_ call: Call) throws(HostError) {
    let number = calls.count
    calls.append(call)
    if let death, number >= death { throw HostError(.other, "the process is dead") }
    witness(call)
    if let failure, failure.number == number { throw failure.error }
  }

  /// The whole name without `.` components.
  private func absolute(_ file: FileName) -> FileName {
    let slash = UInt8(ascii: "/")
    let parts = file.absolute(from: workingDirectory).bytes.split(separator: slash)
    let names = parts.filter { !$0.elementsEqual(".".utf8) }
    return FileName(bytes: names.isEmpty ? [slash] : names.flatMap { [slash] + $0 })
  }

  private func entry(_ file: FileName, followingLinks: Bool = true) -> Entry? {
    let entry = entries[absolute(file)]
    guard followingLinks, let target = entry?.target else { return entry }
    return self.entry(target.absolute(from: absolute(file).directory))
  }

  private func identity(_ entry: Entry) -> FileIdentity {
    let isOnStick = stick.map { stick in
      entries.contains { $1 === entry && $0.bytes.starts(with: stick.bytes) }
    }
    func kept(_ time: Int64) -> Int64 {
      isOnStick ?? false ? time / 2_000_000_000 * 2_000_000_000 : time
    }
    return FileIdentity(
      kind: entry.kind, device: entry.device, inode: entry.inode, size: Int64(entry.bytes.count),
      modified: kept(entry.modified), changed: kept(entry.changed ?? entry.modified),
      mode: entry.mode,
      owner: entry.owner,
      group: entry.group, linkCount: entries.values.count { $0 === entry })
  }

  // MARK: Reading

  func read(
    _ file: FileName, limit: Int, beginning: FileBeginning
  ) throws(HostError) -> FileContents {
    try enter(.read)
    guard let entry = entry(file) else {
      throw HostError(.notFound, "no such file or directory")
    }
    if entry.kind == .directory { throw HostError(.isDirectory, "is a directory") }
    if entry.mode & 0o400 == 0 { throw HostError(.notPermitted, "permission denied") }
    if entry.bytes.count > limit { throw HostError(.tooLarge, "file too large") }
    if entry.unreadable != nil { throw HostError(.inputOutput, "input/output error") }
    return FileContents(bytes: entry.bytes, identity: identity(entry))
  }

  func identity(
    of file: FileName, ifItHolds bytes: [UInt8]
  ) throws(HostError) -> FileIdentity? {
    let contents = try read(file, limit: .max, beginning: .any)
    return contents.bytes == bytes ? contents.identity : nil
  }

  func readAround(_ file: FileName) throws(HostError) -> PartialContents {
    guard let entry = entry(file), let hole = entry.unreadable else {
      return PartialContents(bytes: try read(file, limit: .max).bytes)
    }
    try enter(.read)
    var contents = PartialContents(bytes: Array(entry.bytes[..<hole.lowerBound]))
    contents.skip(hole.count)
    contents.append(Array(entry.bytes[hole.upperBound...]))
    return contents
  }

  func readStandardInput(
    limit: Int, beginning: FileBeginning
  ) throws(HostError) -> [UInt8] { input }

  func identity(of file: FileName, followingLinks: Bool) throws(HostError) -> FileIdentity? {
    entry(file, followingLinks: followingLinks).map(identity)
  }

  func resolved(_ file: FileName) throws(HostError) -> FileName {
    guard let entry = entry(file, followingLinks: false) else {
      throw HostError(.notFound, "no such file or directory")
    }
    guard let target = entry.target else { return absolute(file) }
    return try resolved(target.absolute(from: absolute(file).directory))
  }

  func isWritable(_ file: FileName) -> Bool { (entry(file)?.mode ?? 0o200) & 0o200 != 0 }

  func identities(
    of names: [FileName], in directory: FileName
  ) throws(HostError) -> [FileIdentity?] {
    var identities: [FileIdentity?] = []
    for name in names {
      identities.append(try identity(of: directory.appending(name), followingLinks: false))
    }
    return identities
  }

  func entries(of directory: FileName) throws(HostError) -> [FileName] {
    guard entry(directory)?.kind == .directory else {
      throw HostError(.notFound, "no such file or directory")
    }
    if entry(directory)?.mode == 0 { throw HostError(.notPermitted, "permission denied") }
    return entries.keys
      .filter { $0.directory == absolute(directory) && $0.lastComponent.bytes != [] }
      .map(\.lastComponent)
  }

  // MARK: Writing

  func lock(
    _ file: FileName, waiting milliseconds: Int, whenWaiting: () -> Void
  ) throws(HostError) -> FileLock {
    try enter(.lock)
    guard let entry = entry(file) else {
      throw HostError(.notFound, "no such file or directory")
    }
    guard locked.insert(entry.inode).inserted else {
      whenWaiting()
      throw HostError(.busy, "is locked by another process; try again")
    }
    return FileLock(number: Int32(entry.inode))
  }

  func unlock(_ lock: FileLock) { locked.remove(UInt64(lock.number)) }

  func createExclusively(_ file: FileName) throws(HostError) -> OpenFile {
    try enter(.create)
    let name = absolute(file)
    guard let directory = entries[name.directory], directory.kind == .directory else {
      throw HostError(.notFound, "no such file or directory")
    }
    if directory.mode & 0o200 == 0 { throw HostError(.notPermitted, "permission denied") }
    if entries[name] != nil { throw HostError(.alreadyExists, "file exists") }
    try checkName(name)
    let entry = newEntry(.regular, 0o600)
    entry.isInUse = true
    entries[name] = entry
    opened[Int32(entry.inode)] = entry
    return OpenFile(number: Int32(entry.inode))
  }

  func write(_ bytes: ArraySlice<UInt8>, to file: OpenFile) throws(HostError) {
    let entry = opened[file.number]
    do {
      try enter(.write)
    } catch {
      // A failing write leaves half of what it was to write.
      entry?.bytes += bytes.prefix(bytes.count / 2)
      throw error
    }
    entry?.bytes += bytes
    entry?.modified = tick()
  }

  func setAttributes(
    of file: OpenFile, like identity: FileIdentity?, modeLimit: UInt32
  ) throws(HostError) {
    try enter(.attributes)
    guard let entry = opened[file.number] else { throw HostError.notFound }
    entry.mode = (identity?.mode ?? 0o644) & modeLimit
    entry.owner = identity?.owner ?? entry.owner
    entry.group = identity?.group ?? entry.group
  }

  func synchronize(_ file: OpenFile) throws(HostError) { try enter(.synchronize) }

  func close(_ file: OpenFile) {
    // The system closes the files of a dead process.
    opened.removeValue(forKey: file.number)?.isInUse = false
  }

  func rename(_ file: FileName, to target: FileName, replacing: Bool) throws(HostError) {
    try enter(.rename)
    let (from, to) = (absolute(file), absolute(target))
    if !replacing, entries[to] != nil { throw HostError(.alreadyExists, "file exists") }
    if entries[to]?.kind == .directory { throw HostError(.isDirectory, "is a directory") }
    try checkName(to)
    guard let entry = entries.removeValue(forKey: from) else {
      throw HostError(.notFound, "no such file or directory")
    }
    entries[to] = entry
    if marksNames { entry.changed = tick() }
  }

  /// Whether another name is a change of the file, as on Linux.
  var marksNames = false

  func touch(_ file: FileName) throws(HostError) {
    entries[absolute(file)]?.modified = now.milliseconds * 1_000_000
    if marksNames { entries[absolute(file)]?.changed = nil }
  }

  /// Whether the file system can exchange names.
  var exchangesNames = true

  func exchange(_ first: FileName, with second: FileName) throws(HostError) -> Bool {
    if !exchangesNames { return false }
    try enter(.rename)
    let (first, second) = (absolute(first), absolute(second))
    guard let one = entries[first], let other = entries[second] else {
      throw HostError(.notFound, "no such file or directory")
    }
    (entries[first], entries[second]) = (other, one)
    if marksNames { for entry in [one, other] { entry.changed = tick() } }
    return true
  }

  func synchronizeDirectory(_ directory: FileName) throws(HostError) {
    try enter(.synchronizeDirectory)
  }

  func remove(_ file: FileName) throws(HostError) {
    try enter(.remove)
    if entries[absolute(file)]?.kind == .directory {
      throw HostError(.isDirectory, "is a directory")
    }
    guard entries.removeValue(forKey: absolute(file)) != nil else {
      throw HostError(.notFound, "no such file or directory")
    }
  }

  func removeAbandoned(_ file: FileName) -> Bool {
    guard let entry = entries[absolute(file)] else { return true }
    guard !entry.isInUse else { return false }
    do {
      try remove(file)
      return true
    } catch {
      return false
    }
  }

  func makeDirectory(_ directory: FileName, isPrivate: Bool) throws(HostError) {
    try enter(.makeDirectory)
    let name = absolute(directory)
    guard let parent = entries[name.directory], parent.kind == .directory else {
      throw HostError(.notFound, "no such file or directory")
    }
    if parent.mode & 0o200 == 0 { throw HostError(.notPermitted, "permission denied") }
    if entries[name] != nil { throw HostError(.alreadyExists, "file exists") }
    entries[name] = newEntry(.directory, isPrivate ? 0o700 : 0o755)
  }

  func removeDirectory(_ directory: FileName) throws(HostError) {
    try enter(.remove)
    let name = absolute(directory)
    let isEmpty = !entries.keys.contains { $0.directory == name && $0 != name }
    guard entries[name]?.kind == .directory, isEmpty else {
      throw HostError(.other, "not a directory, or not empty")
    }
    entries[name] = nil
  }

  // MARK: Watching

  /// What is done while the program waits, and whether it changed anything; ends the wait for good
  /// once there is nothing left.
  var waits: [() -> Bool] = []
  private(set) var watched: Set<FileName> = []

  func watch(_ directories: [FileName]) throws(HostError) {
    watched.formUnion(directories.map(absolute))
  }

  func waitForChange(milliseconds: Int) throws(HostError) -> Bool {
    monotonicMilliseconds += Int64(milliseconds)
    now = Timestamp(milliseconds: now.milliseconds + Int64(milliseconds))
    if milliseconds <= 1000 { return false }
    if waits.isEmpty { throw HostError(.interrupted, "interrupted") }
    return waits.removeFirst()()
  }

  // MARK: Signals

  private(set) var holdCount = 0
  func holdSignals() { holdCount += 1 }
  func releaseSignals() { holdCount -= 1 }
  var isInterrupted: Bool { interruption.map { calls.count > $0 } ?? false }

  // MARK: Streams

  func write(_ bytes: [UInt8], to stream: StandardStream) throws(HostError) {
    guard stream == .output else { return errors += bytes }
    if isPipeClosed { throw HostError(.closedPipe, "broken pipe") }
    if isOutputFull { throw HostError(.noSpace, "no space left on device") }
    output += bytes
  }

  func isTerminal(_ stream: StandardStream) -> Bool { terminals.contains(stream) }

  func startTicking(_ tick: @escaping @Sendable (Int64, ([UInt8]) -> Void) -> Void) {
    ticks.append(tick)
  }

  /// Lets time pass.
  func pass(milliseconds: Int64) {
    monotonicMilliseconds += milliseconds
    for tick in ticks { tick(monotonicMilliseconds) { errors += $0 } }
  }

  func readLineFromTerminal(whenResumed: () -> Void) throws(HostError) -> [UInt8]? {
    if answers.isEmpty { return nil }
    let answer = answers.removeFirst()
    // As if Ctrl-C was typed.
    if answer == "\u{3}" { throw HostError(.interrupted, "interrupted") }
    return Array(answer.utf8)
  }

  // MARK: Surroundings

  func secondsFromUTC(at time: Timestamp) -> Int { zone }

  func randomBits() -> UInt64 {
    // Distinct and reproducible; the tests depend on no particular number.
    random += 1
    return random &* 0x9E37_79B9_7F4A_7C15
  }

  func environment(_ name: String) -> [UInt8]? { variables[name].map { Array($0.utf8) } }
  func environmentNames(beginningWith prefix: String) -> [String] {
    variables.keys.filter { $0.hasPrefix(prefix) }
  }
  var executable: FileName? { FileName("/usr/bin/pnmerge") }
  var homeDirectory: FileName? { variables["HOME"].map { FileName($0) } }
  var workingDirectory: FileName { FileName("/work") }

  func run(_ arguments: [FileName], input: [UInt8]?) throws(HostError) -> ProcessResult {
    program(arguments)
  }
}
