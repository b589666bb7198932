import ArgumentParser

struct Integrate: HostedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print lines that make an editor open documents.",
    usage: "pnmerge integrate <editor>",
    discussion: """
      In vim a note is then shown as Markdown. What is written becomes a change of the version \
      that was shown, and is merged with what came in meanwhile.

      Example:
        pnmerge integrate vim >> ~/.vimrc
      """)

  /// The programs that can be made to know documents.
  enum Editor: String, CaseIterable, ExpressibleByArgument {
    case vim
  }

  @Argument(help: .of("editor", "The editor: vim."))
  var editor: Editor

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    switch editor {
    case .vim: try invocation.console.write(PackageResources.peernote_vim)
    }
    return .done
  }
}
