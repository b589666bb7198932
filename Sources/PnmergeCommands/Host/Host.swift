package import Peernote

/// Everything the commands need of the machine they run on.
///
/// The commands reach files, clock, randomness, terminal, environment and other processes through
/// this protocol alone. `pnmerge` brings the real machine, the tests one that lives in memory and
/// can fail at any call. All calls are synchronous; calls that wait for the system go on after a
/// signal was handled and after a short read or write.
package protocol Host: AnyObject {
  // MARK: Reading files

  /// Reads a whole file of at most `limit` bytes, following symbolic links.
  ///
  /// Of a device or a pipe that does not start with `beginning` only the first bytes are read, and
  /// where that is empty no more than ``InputBytes/endlessLimit``.
  ///
  /// Throws `isDirectory`, `notFound`, `notPermitted`, `tooLarge`, and `busy` if a regular file
  /// kept changing while it was read.
  func read(
    _ file: FileName, limit: Int, beginning: [UInt8]
  ) throws(HostError) -> FileContents

  /// Reads a regular file that ``read(_:limit:beginning:)`` gave up because its device fails in places.
  ///
  /// Throws likewise, but for what the device does not give: that is in the result.
  func readAround(_ file: FileName) throws(HostError) -> PartialContents

  /// Reads standard input up to its end, or only its first bytes if it does not start with
  /// `beginning`; the limits are those of ``read(_:limit:beginning:)``.
  func readStandardInput(limit: Int, beginning: [UInt8]) throws(HostError) -> [UInt8]

  /// The present state of a file; `nil` where there is none.
  func identity(of file: FileName, followingLinks: Bool) throws(HostError) -> FileIdentity?

  /// The absolute name of an existing file, with every symbolic link on the way resolved.
  func resolved(_ file: FileName) throws(HostError) -> FileName

  /// Whether this process may write to a file; nothing speaks against it if that cannot be told,
  /// as of one that is gone.
  func isWritable(_ file: FileName) -> Bool

  /// The names in a directory but `.` and `..`, in no particular order.
  func entries(of directory: FileName) throws(HostError) -> [FileName]

  // MARK: Writing files

  /// Takes the advisory lock of an existing file, for writers of our own kind.
  ///
  /// The lock is that of the file which has the name at the time of the return, also if another
  /// process replaced the file while this one waited. Where the file system knows no locks the
  /// call succeeds without one.
  ///
  /// Throws `busy` if the lock is not free after `milliseconds`.
  func lock(_ file: FileName, waiting milliseconds: Int) throws(HostError) -> FileLock

  /// Gives a lock back.
  func unlock(_ lock: FileLock)

  /// Creates a file with mode 0600 that did not exist, and opens it for writing.
  ///
  /// While it is open the file is marked as in use (see ``removeAbandoned(_:)``).
  ///
  /// Throws `alreadyExists` if there is any entry of that name, a dangling link included.
  func createExclusively(_ file: FileName) throws(HostError) -> OpenFile

  /// Appends all of `bytes`.
  func write(_ bytes: [UInt8], to file: OpenFile) throws(HostError)

  /// Gives an open file the permissions, owner and group of another, as far as allowed.
  ///
  /// Where the group cannot be kept, its members get no more than everyone else.
  func setAttributes(of file: OpenFile, like identity: FileIdentity) throws(HostError)

  /// Gives an open file the permissions that new files get.
  func setAttributesOfNewFile(_ file: OpenFile) throws(HostError)

  /// Lets everyone run an open file who may read it.
  func makeExecutable(_ file: OpenFile) throws(HostError)

  /// Waits until the content of an open file is on the disk.
  func synchronize(_ file: OpenFile) throws(HostError)

  /// Closes a file; what it was marked as in use by ends.
  func close(_ file: OpenFile)

  /// Gives a file another name in the same file system, in one step.
  ///
  /// Throws `alreadyExists` if `replacing` is false and there is any entry called `target`.
  func rename(_ file: FileName, to target: FileName, replacing: Bool) throws(HostError)

  /// Waits until the names in a directory are on the disk; ignored where that is not supported.
  func synchronizeDirectory(_ directory: FileName) throws(HostError)

  /// Removes a file's name.
  func remove(_ file: FileName) throws(HostError)

  /// Removes a file that ``createExclusively(_:)`` made if the process that made it is gone.
  ///
  /// Tells whether there is no such file any more.
  func removeAbandoned(_ file: FileName) -> Bool

  /// Creates a directory, with mode 0700 if it is private and else with the mode that new
  /// directories get.
  ///
  /// Throws `alreadyExists`, `notFound` if its parent does not exist.
  func makeDirectory(_ directory: FileName, isPrivate: Bool) throws(HostError)

  /// Removes an empty directory.
  func removeDirectory(_ directory: FileName) throws(HostError)

  // MARK: Watching

  /// Watches directories for new, changed, renamed and removed entries, besides those that are
  /// watched already.
  func watch(_ directories: [FileName]) throws(HostError)

  /// Waits until something changes in the watched directories, or some time has passed.
  ///
  /// Where the system does not tell of changes this only waits.
  ///
  /// - Returns: whether something changed.
  func waitForChange(milliseconds: Int) throws(HostError) -> Bool

  // MARK: Signals

  /// Holds back signals that would end the process, until as many calls to ``releaseSignals()``.
  func holdSignals()

  /// Lets signals through again; one that came in the meantime ends the process here.
  func releaseSignals()

  /// Whether a signal is being held back.
  var isInterrupted: Bool { get }

  // MARK: Standard streams

  /// Writes all of `bytes`.
  ///
  /// Throws `closedPipe` if nobody reads any more.
  func write(_ bytes: [UInt8], to stream: OutputStream) throws(HostError)

  /// Whether the stream is a terminal.
  func isTerminal(_ stream: StandardStream) -> Bool

  /// Asks at the terminal and reads a line without its end; `nil` at the end of input.
  ///
  /// Throws `interrupted` if the user interrupts the program instead, which then goes on.
  /// `whenResumed` is called each time that the program goes on after it was stopped, to ask again.
  func readLineFromTerminal(whenResumed: () -> Void) throws(HostError) -> [UInt8]?

  // MARK: Clock and randomness

  /// The time now.
  var now: Timestamp { get }

  /// Milliseconds that pass evenly, from an arbitrary start.
  var monotonicMilliseconds: Int64 { get }

  /// How far local time is ahead of UTC at that time, in seconds.
  func secondsFromUTC(at time: Timestamp) -> Int

  /// 64 bits fit for names that must never repeat.
  func randomBits() -> UInt64

  // MARK: Surroundings and processes

  /// The value of an environment variable.
  func environment(_ name: String) -> [UInt8]?

  /// The names of the environment variables that begin with `prefix`, in no particular order.
  func environmentNames(beginningWith prefix: String) -> [String]

  /// The login name of the user, empty if unknown.
  var loginName: String { get }

  /// The home directory of the user.
  var homeDirectory: FileName? { get }

  /// The directory that relative names start from, as an absolute name.
  var workingDirectory: FileName { get }

  /// The absolute name of the file that this program was started from; `nil` if unknown.
  var executable: FileName? { get }

  /// Runs a program and waits until it ends.
  ///
  /// `arguments[0]` is looked up in the path. With `capturing` its standard output is returned and
  /// its standard error dropped; otherwise it uses ours, and interrupts from the keyboard go to it
  /// alone. With `capturing` its standard input is `input`, of at most 4096 bytes, which a pipe
  /// holds anywhere.
  ///
  /// Throws `tooLarge` if it says more than is ever read from one file.
  func run(
    _ arguments: [FileName], input: [UInt8], capturing: Bool
  ) throws(HostError) -> ProcessResult
}

extension Host {
  /// Reads a whole file of at most `limit` bytes, whatever it starts with.
  package func read(_ file: FileName, limit: Int) throws(HostError) -> FileContents {
    try read(file, limit: limit, beginning: [])
  }

  /// Creates a directory with mode 0700.
  package func makeDirectory(_ directory: FileName) throws(HostError) {
    try makeDirectory(directory, isPrivate: true)
  }

  /// Runs a program without input and waits until it ends.
  package func run(
    _ arguments: [FileName], capturing: Bool
  ) throws(HostError) -> ProcessResult {
    try run(arguments, input: [], capturing: capturing)
  }
}

/// A lock that this process holds.
package struct FileLock: Hashable, Sendable {
  /// The host's number for it.
  package var number: Int32

  package init(number: Int32) {
    self.number = number
  }
}

/// A file that this process writes.
package struct OpenFile: Hashable, Sendable {
  /// The host's number for it.
  package var number: Int32

  package init(number: Int32) {
    self.number = number
  }
}

/// A stream that every process starts with.
package enum StandardStream: Hashable, Sendable {
  case input
  case output
  case error
}

/// A standard stream to write to.
package enum OutputStream: Hashable, Sendable {
  case output
  case error
}

/// How a program ended.
package struct ProcessResult: Hashable, Sendable {
  /// Its exit status, or 128 and the number of the signal that ended it.
  package var status: Int32
  /// What it wrote, if that was captured.
  package var output: [UInt8]

  package init(status: Int32, output: [UInt8] = []) {
    self.status = status
    self.output = output
  }
}
