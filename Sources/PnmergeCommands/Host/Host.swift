package import Peernote
@_exported public import PeernoteFiles

/// Everything the commands need of the machine they run on.
///
/// The commands reach files, clock, randomness, terminal, environment and other processes through
/// this protocol alone. `pnmerge` brings the real machine, the tests one that lives in memory and
/// can fail at any call. All calls are synchronous; calls that wait for the system go on after a
/// signal was handled and after a short read or write.
package protocol Host: FileSystem {
  // MARK: Standard streams

  /// Reads standard input up to its end, or only its first bytes if it does not start with
  /// `beginning`; the limits are those of ``read(_:limit:beginning:)``.
  func readStandardInput(limit: Int, beginning: FileBeginning) throws(HostError) -> [UInt8]

  /// Writes all of `bytes`.
  ///
  /// Throws `closedPipe` if nobody reads any more.
  func write(_ bytes: [UInt8], to stream: StandardStream) throws(HostError)

  /// Whether the stream is a terminal.
  func isTerminal(_ stream: StandardStream) -> Bool

  /// Asks at the terminal and reads a line without its end; `nil` at the end of input.
  ///
  /// Throws `interrupted` if the user interrupts the program instead, which then goes on.
  /// `whenResumed` is called each time that the program goes on after it was stopped, to ask again.
  func readLineFromTerminal(whenResumed: () -> Void) throws(HostError) -> [UInt8]?

  /// Calls something about ten times a second from another thread, until the program ends, with
  /// the time by ``monotonicMilliseconds`` and what writes to standard error.
  func startTicking(_ tick: @escaping @Sendable (Int64, ([UInt8]) -> Void) -> Void)

  // MARK: Watching

  /// Watches directories for new, changed, renamed and removed entries, besides those that are
  /// watched already.
  func watch(_ directories: [FileName]) throws(HostError)

  /// Waits until something changes in the watched directories, and tells whether it did, or some
  /// time has passed.
  ///
  /// Where the system does not tell of changes this only waits.
  func waitForChange(milliseconds: Int) throws(HostError) -> Bool

  // MARK: Clock

  var now: Timestamp { get }

  /// Milliseconds that pass evenly, from an arbitrary start.
  var monotonicMilliseconds: Int64 { get }

  /// How far local time is ahead of UTC at that time, in seconds.
  func secondsFromUTC(at time: Timestamp) -> Int

  // MARK: Surroundings and processes

  func environment(_ name: String) -> [UInt8]?

  /// The names of the environment variables that begin with `prefix`, in no particular order.
  func environmentNames(beginningWith prefix: String) -> [String]

  /// The login name of the user, empty if unknown.
  var loginName: String { get }

  var homeDirectory: FileName? { get }

  /// The directory that relative names start from, as an absolute name.
  var workingDirectory: FileName { get }

  /// The absolute name of the file that this program was started from; `nil` if unknown.
  var executable: FileName? { get }

  /// Runs a program and waits until it ends.
  ///
  /// `arguments[0]` is looked up in the path. With an `input`, of at most 4096 bytes, which a pipe
  /// holds anywhere, its standard output is returned and its standard error dropped; otherwise it uses
  /// our streams, and interrupts from the keyboard go to it alone.
  ///
  /// Throws `tooLarge` if it says more than is ever read from one file.
  func run(_ arguments: [FileName], input: [UInt8]?) throws(HostError) -> ProcessResult
}

/// A standard stream, by its number.
package enum StandardStream: Int32, Sendable {
  case input, output, error
}

/// How a program ended.
package struct ProcessResult: Hashable, Sendable {
  /// Its exit status, or 128 and the number of the signal that ended it.
  package var status: Int32
  /// What it wrote, if that was captured.
  package var output: [UInt8]

  package init(status: Int32, output: [UInt8] = []) {
    (self.status, self.output) = (status, output)
  }
}

/// Colours and weights, by the parameters of the terminal's "select graphic rendition".
package enum Style: String, Sendable {
  case bold = "1"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
  case deleted = "9;31"
  case inserted = "4;32"
}
