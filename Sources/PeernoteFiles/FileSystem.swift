/// The files of a machine, as far as reading and replacing them goes.
///
/// ``SystemFileSystem`` is the one there is; tests bring one that lives in memory and can fail at
/// any call. All calls are synchronous; calls that wait for the system go on after a signal was
/// handled and after a short read or write.
package protocol FileSystem: AnyObject {
  // MARK: Reading files

  /// Reads a whole file of at most `limit` bytes, following symbolic links.
  ///
  /// Of a device or a pipe that does not start with `beginning` only the first bytes are read, and
  /// where any will do no more than 64 MiB.
  ///
  /// Throws `isDirectory`, `notFound`, `notPermitted`, `tooLarge`, `busy` if a regular file kept
  /// changing while it was read, and `notRegularFile` if this system reads no pipes and devices.
  func read(
    _ file: FileName, limit: Int, beginning: FileBeginning
  ) throws(HostError) -> FileContents

  /// Reads a regular file that ``read(_:limit:beginning:)`` gave up because its device fails in places.
  ///
  /// Throws likewise, but for what the device does not give: that is in the result.
  func readAround(_ file: FileName) throws(HostError) -> PartialContents

  /// The state of a file that holds just these bytes, with symbolic links followed; `nil` if it holds
  /// others, or changes while it is read.
  ///
  /// O(bytes), and no room for them. Throws as ``read(_:limit:beginning:)`` does.
  func identity(
    of file: FileName, ifItHolds bytes: [UInt8]
  ) throws(HostError) -> FileIdentity?

  /// The present state of a file; `nil` where there is none.
  func identity(of file: FileName, followingLinks: Bool) throws(HostError) -> FileIdentity?

  /// The absolute name of an existing file, with every symbolic link on the way resolved.
  func resolved(_ file: FileName) throws(HostError) -> FileName

  /// Whether this process may write to a file; nothing speaks against it if that cannot be told,
  /// as of one that is gone.
  func isWritable(_ file: FileName) -> Bool

  /// The names in a directory but `.` and `..`, in no particular order.
  func entries(of directory: FileName) throws(HostError) -> [FileName]

  /// What stands under some names in a directory, links for themselves; `nil` of what is not there.
  func identities(
    of names: [FileName], in directory: FileName
  ) throws(HostError) -> [FileIdentity?]

  /// Follows no symbolic link below a directory from now on, in any call: one that is put in the place
  /// of a directory leads nowhere.
  func confine(below root: FileName)

  // MARK: Writing files

  /// Takes the advisory lock of an existing file, for writers of our own kind.
  ///
  /// The lock is that of the file which has the name at the time of the return, also if another
  /// process replaced the file while this one waited. Where the file system knows no locks the
  /// call succeeds without one.
  ///
  /// `whenWaiting` is called once if the lock is not free after a second, and is waited for.
  ///
  /// Throws `busy` if the lock is not free after `milliseconds`.
  func lock(
    _ file: FileName, waiting milliseconds: Int, whenWaiting: () -> Void
  ) throws(HostError) -> FileLock

  /// Gives a lock back.
  func unlock(_ lock: FileLock)

  /// Creates a file with mode 0600 that did not exist, and opens it for writing.
  ///
  /// While it is open the file is marked as in use (see ``removeAbandoned(_:)``).
  ///
  /// Throws `alreadyExists` if there is any entry of that name, a dangling link included.
  func createExclusively(_ file: FileName) throws(HostError) -> OpenFile

  /// Appends all of `bytes`.
  func write(_ bytes: ArraySlice<UInt8>, to file: OpenFile) throws(HostError)

  /// Gives an open file the permissions, owner and group of another, as far as allowed, or the
  /// permissions that new files get; none that are not in `modeLimit`.
  ///
  /// Where the group cannot be kept, its members get no more than everyone else.
  func setAttributes(
    of file: OpenFile, like identity: FileIdentity?, modeLimit: UInt32
  ) throws(HostError)

  /// Waits until the content of an open file is on the disk.
  func synchronize(_ file: OpenFile) throws(HostError)

  /// Closes a file; what it was marked as in use by ends.
  func close(_ file: OpenFile)

  /// Gives a file another name in the same file system, in one step.
  ///
  /// Throws `alreadyExists` if `replacing` is false and there is any entry called `target`.
  func rename(_ file: FileName, to target: FileName, replacing: Bool) throws(HostError)

  /// Lets two entries of one file system exchange their names, in one step; false if it cannot do
  /// that.
  ///
  /// Throws `notFound` if one of them is not there.
  func exchange(_ first: FileName, with second: FileName) throws(HostError) -> Bool

  /// Makes now the time at which a file's content last changed.
  func touch(_ file: FileName) throws(HostError)

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

  // MARK: Signals

  /// Holds back signals that would end the process, until as many calls to ``releaseSignals()``.
  func holdSignals()

  /// Lets signals through again; one that came in the meantime ends the process here.
  func releaseSignals()

  /// Whether a signal is being held back.
  var isInterrupted: Bool { get }

  // MARK: Randomness

  /// 64 bits fit for names that must never repeat.
  func randomBits() -> UInt64
}

extension FileSystem {
  /// Reads a whole file of at most `limit` bytes, whatever it starts with.
  package func read(_ file: FileName, limit: Int) throws(HostError) -> FileContents {
    try read(file, limit: limit, beginning: .any)
  }

  /// Follows links all the same.
  package func confine(below root: FileName) {}

  /// Creates a directory with mode 0700.
  package func makeDirectory(_ directory: FileName) throws(HostError) {
    try makeDirectory(directory, isPrivate: true)
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

/// A lock that this process holds, by the file that it opened for that.
package typealias FileLock = OpenFile
