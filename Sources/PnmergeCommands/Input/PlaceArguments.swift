import ArgumentParser
import Peernote

/// A document that is to be changed, and the place in it.
struct PlaceArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The document; - is standard input and output.", valueName: "file"))
  var file: FileName

  @Argument(
    help: ArgumentHelp("Where: a JSON Pointer.", valueName: "path"),
    transform: PathArgument.parse)
  var path: JSONPointer
}
