import PnmergeCommands

let host = SystemHost()
guard let arguments = SystemHost.arguments else {
  let line = "pnmerge: cannot read its arguments, as /proc is not mounted\n"
  try? host.write(Array(line.utf8), to: .error)
  SystemHost.exit(with: .unreadable)
}
SystemHost.exit(with: runPnmerge(arguments: arguments, host: host))
