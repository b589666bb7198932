import ArgumentParser
import Peernote

/// How elements of lists are told apart where a whole list comes in.
struct ElementIdentity: ParsableArguments {
  @Option(
    name: .customLong("identity"),
    help: ArgumentHelp(
      """
      In lists of objects, take elements with an equal value under this key for the same element; \
      by default the key is id. Repeatable: the first key that an element has counts.
      """, valueName: "key"))
  var keys: [TextArgument] = []

  /// The rules for comparing what comes in with what a document holds.
  var matching: ContentMatching {
    keys.isEmpty ? .exact : ContentMatching(identityKeys: keys.map(\.text))
  }
}
