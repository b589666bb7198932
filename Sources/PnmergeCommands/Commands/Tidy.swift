import ArgumentParser
import Peernote

struct Tidy: OptionsCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fold conflict copies into their notes.",
    usage: "pnmerge tidy [<options>] [<folder> ...]",
    discussion: """
      A copy is folded if a sync program named it so, and it is the same document: its changes are \
      merged into the note, and it is moved to .peernote/trash. Notes that are marked as deleted \
      go there, too.

      Example:
        pnmerge tidy ~/notes
      """)

  /// What makes a file a conflict copy.
  enum Match: String, CaseIterable, ExpressibleByArgument {
    /// Its name and its identity.
    case name
    /// Its identity.
    case id
  }

  @Argument(help: ArgumentHelp("The folders; the current one by default.", valueName: "folder"))
  var fileArguments: [FileNames] = []

  @Option(
    help: ArgumentHelp("Whether the name has to fit, too.", valueName: "how"))
  var match = Match.name

  @OptionGroup var options: FolderOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let invocation = invocation.onTrial(if: options.dryRun)
    let folders = try OpenFolder.opening(files.isEmpty ? [FileName(".")] : files, invocation)
    var status = ExitStatus.done
    for folder in folders {
      status = max(
        status, try options.run([folder], matchingByID: match == .id, invocation))
    }
    return status
  }
}
