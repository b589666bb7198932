/// What bash's completions lack as the argument parser makes them.
enum BashCompletion {
  /// A script of completions, with the commands after `help` if it is for bash, and with names of
  /// files where no command begins so: the short form of `merge` begins with one.
  static func completed(_ script: String, commands: [String]) -> String {
    guard script.hasPrefix("#!/bin/bash\n") else { return script }
    return """
      \(script)
      _pnmerge_help() {
          COMPREPLY=($(compgen -W '\(commands.joined(separator: " "))' -- "${cur}"))
      }

      complete -o filenames -o default -F _pnmerge pnmerge
      """
  }
}
