import ArgumentParser
import Peernote

/// `pnmerge delete`: marks notes as deleted.
struct Delete: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Mark documents as deleted, so that sync deletes the other copies.",
    discussion: """
      The mark is a change like any other, and reaches the other copies with a merge or sync. \
      'sync' and 'tidy' then move each copy to the trash of its folder (.peernote/trash). If \
      somebody edits a copy without knowing of the mark, the document comes back, and that is \
      said. To take the mark back: 'undo', or any edit.

      Example:
        pnmerge delete ~/notes/old.peernote
        pnmerge sync ~/notes /media/usb/notes
      """)

  @Argument(help: ArgumentHelp("The documents; - is standard input.", valueName: "file"))
  var fileArguments: [FileNames]
  var files: [FileName] { fileArguments.flatMap(\.names) }

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    if files.isEmpty { throw ValidationError("Give a file or more.") }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    for file in files {
      let change = FileChange(file, options, invocation)
      let isNews = try change { document -> Bool? in
        if document.deletion?.isCurrent ?? false { return nil }
        let session = try invocation.session(options.authorship, for: file)
        do throws(EditError) {
          let message = options.authorship.message?.text ?? "deleted"
          return try document.markDeleted(by: session, message: message) == nil ? nil : true
        } catch {
          throw Failure(
            .usage, file: file, "\(error.explanation(in: document.root)); nothing was written")
        }
      }
      if isNews == nil {
        try invocation.console.report("\(file.inputName): is marked as deleted already")
      } else {
        try change.report("marked as deleted", "would mark as deleted")
      }
    }
    return .done
  }
}
