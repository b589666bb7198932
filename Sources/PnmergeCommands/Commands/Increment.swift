import ArgumentParser
import Peernote

struct Increment: OptionsCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add to a counter.",
    usage: "pnmerge increment [<options>] <file> <path>",
    discussion: """
      What several people add adds up. A counter is made with 'set --type counter'.

      Example:
        pnmerge increment notes.peernote /visits
        pnmerge increment notes.peernote /stock --by -3
      """)

  @OptionGroup var place: PlaceArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much; may be negative.", valueName: "number"),
    transform: { try IntegerArgument.parse($0) })
  var by: Int64 = 1

  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(place.file, options, invocation)
    let path = place.path
    let value: Int64? = try change { document in
      if by == 0 { return nil }
      if let node = document.node(at: path) {
        guard case .counter = node else {
          throw Failure(
            .usage, file: place.file,
            "\(path.visible) is \(node.noun), not a counter; 'set --type counter' makes one; "
              + "nothing was written")
        }
      }
      _ = try change.edit(&document) { editor in try editor.increment(by: by, at: path) }
      guard case .counter(let value) = document.node(at: path) else { return nil }
      return value
    }
    try change.report(
      value.map { "\(path.visible) is \($0)" }, "\(path.visible) would be \(value ?? 0)")
    return .done
  }
}
