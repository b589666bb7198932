import PeernoteFiles
import PnmergeCommands

extension SystemHost {
  func run(_ arguments: [FileName], input: [UInt8]?) throws(HostError) -> ProcessResult {
    guard let program = arguments.first else { throw HostError(code: EINVAL) }
    let capturing = input != nil
    var pipeEnds = try capturing ? Self.pipeForOurselves() : [-1, -1]
    defer { if pipeEnds[0] >= 0 { systemClose(pipeEnds[0]) } }
    let source = try input.flatMap { input throws(HostError) in
      input.isEmpty ? nil : try Self.inputPipe(holding: input)
    }
    defer { if let source { systemClose(source) } }

    // As system(3) does: what is typed to stop the program does not stop us, unless it is one that
    // nobody sees.
    let earlier = capturing ? [] : Self.ignoringInterrupts()
    defer { Self.restoreInterrupts(earlier) }
    let child: pid_t
    do {
      defer { if pipeEnds[1] >= 0 { systemClose(pipeEnds[1]) } }
      child = try Self.spawn(
        program, arguments, input: source, output: capturing ? pipeEnds[1] : nil)
    }
    var output: [UInt8] = []
    var failure: HostError?
    if capturing {
      do throws(HostError) {
        output = try Self.readAll(
          pipeEnds[0], limit: Invocation.inputLimit, hasLength: true)
      } catch {
        failure = error
        // Nobody listens any more, so that the program ends.
        systemClose(pipeEnds[0])
        pipeEnds[0] = -1
      }
    }
    var status: Int32 = 0
    try checked { unsafe waitpid(child, &status, 0) }
    if let failure { throw failure }
    // The macros WIFSIGNALED and so on are not imported.
    let signal = status & 0x7F
    return ProcessResult(status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: output)
  }

  /// A pipe that programs we start don't inherit: the end to read from, and that to write to.
  private static func pipeForOurselves() throws(HostError) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    try checked { unsafe pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  /// The end to read from of a pipe that holds all of some bytes.
  private static func inputPipe(holding bytes: [UInt8]) throws(HostError) -> Int32 {
    precondition(bytes.count <= 4096, "more may not fit into a pipe")
    let ends = try pipeForOurselves()
    defer { systemClose(ends[1]) }
    do throws(HostError) {
      try writeAll(bytes[...], to: ends[1])
    } catch {
      systemClose(ends[0])
      throw error
    }
    return ends[0]
  }

  /// Starts a program with our environment and the signal handling that programs expect.
  private static func spawn(
    _ program: FileName, _ arguments: [FileName], input: Int32?, output: Int32?
  ) throws(HostError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let output {
      unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
      if let input {
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
      } else {
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    unsafe sigemptyset(&usual)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT] { unsafe sigaddset(&usual, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var vector = unsafe arguments.map { argument in
      unsafe argument.withCString { name in unsafe strdup(name) }
    }
    unsafe vector.append(nil)
    defer { unsafe vector.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let code = unsafe program.withCString { name in
      unsafe posix_spawnp(&child, name, &actions, &attributes, &vector, environ)
    }
    guard code == 0 else { throw HostError(code: code) }
    return child
  }

  // MARK: Interrupts

  private static func ignoringInterrupts() -> [sigaction] {
    var ignoring = sigaction()
    #if canImport(Darwin)
      unsafe ignoring.__sigaction_u.__sa_handler = SIG_IGN
    #else
      unsafe ignoring.__sigaction_handler.sa_handler = SIG_IGN
    #endif
    return [SIGINT, SIGQUIT].map { signal in
      var earlier = sigaction()
      unsafe sigaction(signal, &ignoring, &earlier)
      return earlier
    }
  }

  private static func restoreInterrupts(_ actions: [sigaction]) {
    for (signal, action) in zip([SIGINT, SIGQUIT], actions) {
      var action = action
      unsafe sigaction(signal, &action, nil)
    }
  }
}
