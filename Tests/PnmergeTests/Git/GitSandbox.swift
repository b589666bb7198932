import Foundation
import Testing

/// The real git and the built program in a directory of their own, where no configuration of the
/// machine reaches.
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

  /// Functions for scripts.
  ///
  /// - `repository DIR`: makes a repository in which git uses the program, with a first commit of a
  ///   note `n.peernote` whose body has the lines one to five, and goes there.
  /// - `body SCRIPT [FILE]`: edits the body with sed(1).
  /// - `save MESSAGE`: commits everything.
  /// - `merge ...`: git merge without what it says on standard output.
  /// - `show [REV]`: prints the note, without its time.
  /// - `blob REV`: names the note's content in a commit.
  private static let functions = """
    export PATH="${P%/*}:$PATH" GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=true
    unset PNMERGE GIT_DIR GIT_WORK_TREE
    T=$PWD
    repository() {
      git init -q "$1" && cd "$1" && pnmerge git install -q || return
      pnmerge new -q n.peernote --title T --body-file - <<EOF || return
    one
    two
    three
    four
    five
    EOF
      save base
    }
    body() {
      pnmerge cat --body "${2-n.peernote}" | sed "$1" > "$T/.body" &&
        pnmerge edit -q "${2-n.peernote}" --body-file "$T/.body"
    }
    save() { git add -A && git commit -qm "$1"; }
    merge() { git merge -q "$@" > "$T/.merge"; }
    show() {
      if [ $# -gt 0 ]; then git show "$1:n.peernote" > "$T/.shown"; else cat n.peernote > "$T/.shown"; fi
      pnmerge cat "$T/.shown" | grep -v -e '^created:' -e '^---'
    }
    blob() { git rev-parse "$1:n.peernote"; }
    """

  /// Runs a script, which stops at the first command that fails.
  @discardableResult
  func sh(_ script: String) throws -> Program.Run {
    try program.sh(Self.functions + "\nset -e\n" + script)
  }

  /// Runs a script and expects that it succeeds and prints certain lines.
  func expect(
    _ lines: String, from script: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    expect(lines, in: try sh(script), sourceLocation)
  }

  /// The same for a script that mostly sleeps.
  func expect(
    _ lines: String, from script: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await program.sh(Self.functions + "\nset -e\n" + script)
    expect(lines, in: run, sourceLocation)
  }

  private func expect(_ lines: String, in run: Program.Run, _ sourceLocation: SourceLocation) {
    #expect(run.status == 0, "\(run.errors)\(run.output)", sourceLocation: sourceLocation)
    let output = run.output.trimmingCharacters(in: .newlines)
    #expect(output == lines, "\(run.errors)", sourceLocation: sourceLocation)
  }
}
