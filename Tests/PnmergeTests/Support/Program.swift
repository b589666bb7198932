import Foundation
import PeernoteTestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The built program, run in a temporary directory of its own.
final class Program: Sendable {
  /// What a shell script that ran the program said and returned.
  struct Run {
    var status: Int32
    var output: String
    var errors: String
  }

  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("pnmerge-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Where the program was built: beside the bundle of the tests.
  static let path: String = {
    var directory = Bundle.main.bundleURL
    if directory.pathExtension == "xctest" { directory.deleteLastPathComponent() }
    let besides = CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    let places = [directory] + besides
    let found = places.map { $0.appendingPathComponent("pnmerge").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    return found ?? "pnmerge"
  }()

  /// Runs a script of sh(1), in which `pnmerge` is the program and `$P` its path.
  ///
  /// The script starts in the temporary directory, which is otherwise used for what it says; both
  /// go to files, so that neither side ever waits for the other.
  @discardableResult
  func sh(_ script: String) throws -> Run {
    let name = UUID().uuidString
    let files = ["out", "err"].map { directory.appendingPathComponent(".\(name).\($0)") }
    let redirections = "exec </dev/null >'\(files[0].path)' 2>'\(files[1].path)'"
    let start = "cd '\(directory.path)' || exit; pnmerge() { \"$P\" \"$@\"; }"
    let status = try spawn(
      ["sh", "-c", [redirections, start, script].joined(separator: "\n")],
      environment: [
        "P=\(Self.path)", "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\(directory.path)/home",
        "TMPDIR=\(directory.path)", "PNMERGE_AUTHOR=me", "TZ=UTC", "LC_ALL=C.UTF-8",
      ] + Sanitizer.environment)
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    for file in files { try FileManager.default.removeItem(at: file) }
    return Run(status: status, output: texts[0], errors: texts[1])
  }

  /// The same for a script that mostly sleeps: meanwhile other tests run.
  @discardableResult
  func sh(_ script: String) async throws -> Run {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try self.sh(script) }) }
    }
  }

  /// Runs `/bin/sh` and waits for it.
  private func spawn(_ arguments: [String], environment: [String]) throws -> Int32 {
    var argumentPointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var environmentPointers = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      unsafe argumentPointers.forEach { unsafe free($0) }
      unsafe environmentPointers.forEach { unsafe free($0) }
    }
    // Threads of the test library block most signals, and a shell without SIGCHLD waits for ever.
    var noSignals = sigset_t()
    unsafe sigemptyset(&noSignals)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    let code = unsafe posix_spawn(
      &child, "/bin/sh", nil, &attributes, &argumentPointers, &environmentPointers)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) == -1 {
      guard errno == EINTR else { throw POSIXError(.ECHILD) }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
