import ArgumentParser
import Peernote

/// How elements of lists are told apart where a whole list comes in.
struct ElementIdentity: ParsableArguments {
  @Option(
    name: .customLong("identity"),
    help: ArgumentHelp("The key that tells list elements apart (id).", valueName: "key"))
  var keys: [TextArgument] = []

  /// The keys by which elements are known in a document.
  func keys(in document: Document) -> [String] {
    matching.identityKeys + document.identityKeys.filter { !matching.identityKeys.contains($0) }
  }

  /// The rules for comparing what comes in with what a document holds.
  var matching: ContentMatching {
    keys.isEmpty ? .exact : ContentMatching(identityKeys: keys.map(\.text))
  }
}
