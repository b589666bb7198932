/// The help of a command, so that it fits a screen: without the options that all commands have, and
/// with where to read on; any other text of the argument parser as it is.
func completedHelp(_ text: String) -> String {
  guard text.hasPrefix("OVERVIEW: "), !text.contains(" SUBCOMMANDS:\n"),
    !text.contains("\n  -q, --quiet"), let usage = text.firstRange(of: "\nUSAGE: ")
  else { return text }
  let command = text[usage.upperBound...].split(separator: " ").prefix { word in
    word.allSatisfy { ("a"..."z").contains($0) }
  }.joined(separator: " ")
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
    !line.hasPrefix("  --version ") && !line.hasPrefix("  -h, --help ")
  }
  while let last = lines.last, last.isEmpty || last == "OPTIONS:" { lines.removeLast() }
  return lines.joined(separator: "\n")
    + "\n\nAll options: \(command) --help-hidden. More: man pnmerge."
}

/// A script of completions, with the commands after `help` if it is for bash, and with names of files
/// where no command begins so: the short form of `merge` begins with one.
func completedScript(_ script: String, commands: [String]) -> String {
  guard script.hasPrefix("#!/bin/bash\n") else { return script }
  return """
    \(script)
    _pnmerge_help() {
        COMPREPLY=($(compgen -W '\(commands.joined(separator: " "))' -- "${cur}"))
    }

    complete -o filenames -o default -F _pnmerge pnmerge
    """
}
