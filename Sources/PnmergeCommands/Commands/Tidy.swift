import ArgumentParser
import Peernote

/// `pnmerge tidy`: folds conflict copies into their notes.
struct Tidy: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "tidy",
    abstract: "Fold the conflict copies of sync programs into their notes.",
    discussion: """
      A copy is folded if its name is one that Syncthing, Dropbox, Nextcloud, ownCloud, Seafile, \
      Unison, rclone, git-annex or git gives to conflict copies, and it is the same document. Its \
      changes are merged into the note, and it is moved to the folder's trash (.peernote/trash). A \
      copy under any other name may be deliberate and is left alone, except with --match=id. Notes \
      that are marked as deleted go to the trash, too. Copies of MeetingNotes' files are folded in \
      the same way.

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
  var folderArguments: [FileNames] = []

  @Option(
    help: ArgumentHelp(
      "Fold copies by name and identity (name), or by identity alone (id).", valueName: "how"))
  var match = Match.name

  @OptionGroup var options: FolderOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(options.verbosity)
    let named = folderArguments.flatMap(\.names)
    let folders = try OpenFolder.opening(named.isEmpty ? [FileName(".")] : named, invocation)
    var status = ExitStatus.done
    for folder in folders {
      status = max(
        status, try options.run([folder], matchingByID: match == .id, invocation))
    }
    return status
  }
}
