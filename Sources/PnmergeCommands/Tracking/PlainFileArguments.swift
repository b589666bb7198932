import ArgumentParser

/// What the commands take that begin and end to keep the histories of plain files.
struct PlainFileArguments: CommandOptions {
  @Argument(help: ArgumentHelp("Files and directories.", valueName: "file"))
  var fileArguments: [FileNames]
  var files: [FileName] { fileArguments.flatMap(\.names) }

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if files.isEmpty { throw ValidationError("Give a file or more.") }
    if files.contains(where: \.isStandardStream) {
      throw ValidationError("A history stands beside a file, which standard input is not.")
    }
  }
}
