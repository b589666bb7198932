package import Foundation

/// Where things are in the repository.
package enum Repository {
  /// The top directory.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file or directory by its path from the top.
  package static func path(_ path: String) -> URL { root.appending(path: path) }

  /// The files of a type in a folder and those below, in the order of their paths.
  package static func files(in folder: String, type: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(
      atPath: path(folder).path(percentEncoded: false)
    ).filter { $0.hasSuffix(".\(type)") }.sorted().map { path("\(folder)/\($0)") }
  }
}

/// A program that some tests need besides the toolchain.
package struct ExternalTool: Sendable {
  /// What a run of the program left.
  package struct Outcome: Sendable {
    /// The exit status.
    package var status: Int32
    /// What it wrote to standard output.
    package var output: String
    /// What it wrote to standard error.
    package var errors: String
  }

  /// The program could not be run.
  package struct Missing: Error, CustomStringConvertible {
    /// What is missing, and where it comes from.
    package var description: String

    package init(description: String) {
      self.description = description
    }
  }

  private let executable: URL

  /// A program by the path of its file.
  package init(_ executable: URL) {
    self.executable = executable
  }

  /// A program on the search path.
  ///
  /// - Throws: ``Missing``, with the name of the Debian package.
  package init(named name: String, package: String) throws(Missing) {
    let directories = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let found = directories.split(separator: ":")
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
    guard let found else {
      throw Missing(description: "\(name) is missing; it comes with the package \(package)")
    }
    executable = found
  }

  /// A program that the Debian package of its name has; `nil` where it is missing and may be.
  package static func ifPresent(_ name: String) throws -> ExternalTool? {
    try ifPresent { try ExternalTool(named: name, package: name) }
  }

  private static func ifPresent(_ tool: () throws -> ExternalTool) throws -> ExternalTool? {
    do {
      return try tool()
    } catch {
      if isRequired { throw error }
      print("not tested: \(error)")
      return nil
    }
  }

  /// The Python of an environment that `setup-venv` makes where it is not there yet.
  ///
  /// - Parameters:
  ///   - content: what the environment holds, for messages.
  ///   - requirements: the file in `Tests/Tools` that pins it.
  ///   - suffix: what its name ends in, after `PEERNOTE_VENV` or `.venv`.
  /// - Returns: the interpreter; `nil` where it cannot be had and may be missing.
  /// - Throws: ``Missing`` where it may not, and what running the script throws.
  package static func python(
    with content: String, requirements: String = "requirements.txt", suffix: String = ""
  ) throws -> ExternalTool? {
    try ifPresent {
      let parent =
        ProcessInfo.processInfo.environment["PEERNOTE_VENV"]
        ?? Repository.path(".venv").path(percentEncoded: false)
      let outcome = try ExternalTool(named: "sh", package: "dash").run([
        Repository.path("Tests/Tools/setup-venv").path(percentEncoded: false), parent + suffix,
        requirements,
      ])
      guard outcome.status == 0 else {
        throw Missing(
          description: "\(content) is missing; setup-venv could not install it with "
            + "python3-venv: \(outcome.errors)")
      }
      let interpreter = outcome.output.split(separator: "\n").last.map(String.init) ?? ""
      return ExternalTool(URL(filePath: interpreter))
    }
  }

  /// The program took too long and was ended.
  package struct TookTooLong: Error {}

  /// Runs the program and waits for it, two minutes at most.
  ///
  /// Output goes to files: a pipe that nobody reads while the program runs could fill up.
  package func run(_ arguments: [String]) throws -> Outcome {
    try withTemporaryDirectory { directory in
      let files = ["output", "errors"].map { directory.appending(path: $0) }
      for file in files { try Data().write(to: file) }
      let process = Process()
      process.executableURL = executable
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: files[0])
      process.standardError = try FileHandle(forWritingTo: files[1])
      try process.run()
      let deadline = Date(timeIntervalSinceNow: 120)
      while process.isRunning {
        guard Date() < deadline else {
          // A program that was started with SIGTERM blocked would go on for ever.
          kill(process.processIdentifier, SIGKILL)
          process.waitUntilExit()
          throw TookTooLong()
        }
        Thread.sleep(forTimeInterval: 0.005)
      }
      return Outcome(
        status: process.terminationStatus,
        output: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
    }
  }
}

extension ExternalTool {
  /// Whether a missing tool fails a test: where tests have to be complete (`CI` is set).
  ///
  /// Elsewhere the test says what is missing and counts as passed.
  package static var isRequired: Bool { ProcessInfo.processInfo.environment["CI"] != nil }
}
