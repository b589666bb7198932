import PnmergeCommands

SystemHost.exit(with: runPnmerge(arguments: SystemHost.arguments, host: SystemHost()))
