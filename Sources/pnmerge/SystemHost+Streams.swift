import PeernoteFiles
import PnmergeCommands

extension SystemHost {
  /// Sees to it that no file we open takes the number of a standard stream that was closed when
  /// we were started: what we say would be written into it.
  ///
  /// Such a stream gets a placeholder that can only be used the other way round, so that using it
  /// fails as before. The programs that we run do not get it.
  static func occupyStandardStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      let access = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
      // The lowest free number is taken, which is this one.
      let placeholder = try? SystemFileSystem().open(FileName("/dev/null"), access)
      guard placeholder == descriptor else { systemExit(ExitStatus.ioError.rawValue) }
    }
  }

  func readStandardInput(limit: Int, beginning: FileBeginning) throws(HostError) -> [UInt8] {
    let isRegular = try Self.identity(of: STDIN_FILENO).kind == .regular
    return try Self.readAll(
      STDIN_FILENO, limit: limit, hasLength: isRegular, beginning: beginning)
  }

  func write(_ bytes: [UInt8], to stream: StandardStream) throws(HostError) {
    try Self.writeAll(bytes[...], to: stream.rawValue)
  }

  func isTerminal(_ stream: StandardStream) -> Bool {
    // Only devices have to be asked; for all else one look is enough.
    var status = stat()
    return unsafe fstat(stream.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
      && isatty(stream.rawValue) == 1
  }

  /// How often it is looked whether a signal has come, in milliseconds.
  private static let patience: Int32 = 100

  func readLineFromTerminal(whenResumed: () -> Void) throws(HostError) -> [UInt8]? {
    // Held back, an interrupt ends neither the process nor the read; it waits until it is asked for.
    var signals = sigset_t()
    var earlier = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGCONT] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &earlier)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &earlier, nil) }
    var line: [UInt8] = []
    while true {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let isReady = unsafe poll(&input, 1, Self.patience) > 0
      if takePending(SIGCONT) { whenResumed() }
      if takePending(SIGINT) { throw HostError(.interrupted, "interrupted") }
      guard isReady else { continue }
      var byte: UInt8 = 0
      let count = try checked { unsafe systemRead(STDIN_FILENO, &byte, 1) }
      if count == 0 { return line.isEmpty ? nil : line }
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
  }

  /// Whether a signal that is held back has come; it then counts as dealt with.
  private func takePending(_ signal: Int32) -> Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    guard unsafe sigismember(&pending, signal) == 1 else { return false }
    var wanted = sigset_t()
    unsafe sigemptyset(&wanted)
    unsafe sigaddset(&wanted, signal)
    var taken: Int32 = 0
    return unsafe sigwait(&wanted, &taken) == 0
  }
}
