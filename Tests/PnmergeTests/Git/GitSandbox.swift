import Foundation
import PeernoteTestSupport

/// The real git and the built program in a directory of their own, where no configuration of the
/// machine reaches.
///
/// Scripts have the functions of `Fixtures/sessions/functions.sh`, and stop at the first command that
/// fails.
struct GitSandbox {
  let program: Program

  init() throws {
    program = try Program()
    let home = program.directory.appending(path: "home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let configuration = """
      [user]
      \tname = me
      \temail = me@example.invalid
      [init]
      \tdefaultBranch = main
      [advice]
      \tdetachedHead = false
      [protocol "file"]
      \tallow = always

      """
    try Data(configuration.utf8).write(to: home.appending(path: ".gitconfig"))
  }

  private static let start = Result {
    let functions = Repository.path("Fixtures/sessions/functions.sh")
    return """
      R='\(Repository.root.path)' SANITIZER='\(Sanitizer.current?.rawValue ?? "")'
      \(try String(contentsOf: functions, encoding: .utf8))
      set -e

      """
  }

  @discardableResult
  func sh(_ script: String) throws -> Program.Run { try program.sh(Self.start.get() + script) }

  /// The same for a script that mostly sleeps: meanwhile other tests run.
  func sh(sleeping script: String) async throws -> Program.Run {
    try await program.sh(Self.start.get() + script)
  }
}
