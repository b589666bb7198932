import Foundation
import PnmergeCommands
import Testing

@Suite("Completions of shells")
struct CompletionTests {
  /// What bash offers at the end of a line, in a directory with some files.
  private func offers(_ line: String) throws -> Set<String> {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let run = try Program().sh(
      """
      : > note.peernote; : > draft.md; mkdir folder
      pnmerge --generate-completion-script bash > script || exit
      bash --norc --noprofile <<'END'
      . ./script
      COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
      function_name=$(complete -p pnmerge | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      "$function_name" pnmerge "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>> errors
      printf '%s\\n' "${COMPREPLY[@]}"
      END
      """)
    #expect(run.status == 0, "\(run.errors)")
    return Set(run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
  }

  @Test("bash completes commands, options, their values and names of files")
  func bash() throws {
    let commands = try offers("pnmerge ")
    #expect(commands.isSuperset(of: ["merge", "new", "git", "repair", "conflicts"]))
    #expect(commands.isDisjoint(with: ["driver", "textconv"]))
    #expect(try offers("pnmerge st") == ["status"])
    #expect(try offers("pnmerge git ").isSuperset(of: ["install", "status", "resolve"]))
    #expect(try offers("pnmerge merge n") == ["note.peernote"])
    #expect(try offers("pnmerge merge note.peernote ").contains("note.peernote"))
    #expect(try offers("pnmerge import d") == ["draft.md"])
    #expect(try offers("pnmerge validate --schema d") == ["draft.md"])
    #expect(try offers("pnmerge merge --interac").contains("--interactive"))
    #expect(try offers("pnmerge set note.peernote /a --type tim") == ["timestamp"])
    #expect(try offers("pnmerge help val") == ["validate"])
    #expect(try offers("pnmerge help ").isSuperset(of: ["merge", "git"]))
  }

  @Test("where no command begins so, bash completes names of files")
  func files() throws {
    let run = try Program().sh(
      "pnmerge --generate-completion-script bash > script && bash -c '. ./script; complete -p pnmerge'"
    )
    #expect(run.output.contains("-o default") && run.output.contains("-F _pnmerge"), "\(run)")
    #expect(try offers("pnmerge note.p").subtracting([""]).isEmpty)
  }

  @Test("zsh and fish get a script of their own")
  func others() throws {
    for (shell, start) in [("zsh", "#compdef pnmerge"), ("fish", "function ")] {
      let script = try Program().sh("pnmerge --generate-completion-script \(shell)").output
      #expect(script.hasPrefix(start) && script.contains("interactive"), "\(script.prefix(200))")
    }
  }
}
