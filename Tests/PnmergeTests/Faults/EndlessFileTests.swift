import Foundation
import PeernoteTestSupport
import Testing

/// Options that name a file to read, given one that has no end.
///
/// The options are those that the program's own description lists, so that none is forgotten.
@Suite(
  "Options that read a file without an end",
  .enabled(if: Sanitizer.current == nil, "a sanitizer needs more addresses"))
struct EndlessFileTests {
  /// An option of a command.
  struct Place: Hashable, Sendable, CustomTestStringConvertible {
    var command: String
    var option: String

    var testDescription: String { "\(command) --\(option)" }
  }

  /// Options whose value is a file that is written.
  private static let writing: Set<String> = ["output", "html"]

  /// What else each command is given, so that it comes to read the file; `X` is the option.
  private static let calls = [
    "new": "new n X", "edit": "edit a X", "set": "set a /k X 1", "insert": "insert a /l/0 X 1",
    "remove": "remove a /k X", "move": "move a /l/0 /l/1 X", "increment": "increment a /n X",
    "import": "import --format json -o n i.json X", "merge": "merge a b X",
    "review": "review a b --html - X", "resolve": "resolve a /k --value 5 X",
    "delete": "delete a X",
    "restore": "restore a --at CHANGE X", "validate": "validate a X",
  ]

  /// Calls that differ from those of the command's other options.
  private static let exceptions = [
    Place(command: "edit", option: "schema"): "edit a --json-file i.json X",
    Place(command: "edit", option: "schema-ref"): "edit a --json-file i.json X",
    Place(command: "set", option: "value-file"): "set a /k X",
    Place(command: "insert", option: "value-file"): "insert a /l/0 X",
    Place(command: "resolve", option: "value-file"): "resolve a /k X",
    Place(command: "review", option: "apply"): "review a b X",
  ]

  /// The options that take a file to read.
  private static func places(_ description: Data) throws -> [Place] {
    struct Description: Decodable {
      struct Name: Decodable { var name: String }
      struct Argument: Decodable {
        var kind: String
        var names: [Name]?
        var valueName: String?
      }
      struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?
      }
      var command: Command
    }
    let root = try JSONDecoder().decode(Description.self, from: description).command
    return (root.subcommands ?? []).flatMap { command in
      (command.arguments ?? []).compactMap { argument in
        guard argument.kind == "option", let name = argument.names?.map(\.name).max(by: <),
          ["file", "decisions"].contains(argument.valueName),
          argument.names?.allSatisfy({ !writing.contains($0.name) }) == true
        else { return nil }
        return Place(command: command.commandName, option: name)
      }
    }
  }

  @Test("each is refused with one line and status 66, and nothing is written")
  func refused() throws {
    let program = try Program()
    try program.sh(
      """
      mkdir work; cd work; echo '{"k": 1, "l": [1, 2, 3], "n": {"$counter": 1}}' > i.json
      echo '{}' > s.json; pnmerge new a --json-file i.json -q; cp a b; pnmerge set b /k 3 -q; pnmerge set a /k 2 -q
      pnmerge merge a b -q; pnmerge set b /m 1 -q; cp a old; cp b old-b; touch names; ls > names
      """)
    let places = try Self.places(Data(program.sh("pnmerge --experimental-dump-help").output.utf8))
    // The description is read right: some of them, by name.
    for known in ["new --json-file", "edit --markdown-file", "review --apply", "review --schema"] {
      #expect(places.contains { $0.testDescription == known }, "\(known)")
    }
    #expect(places.count > 20)
    for place in places {
      let call = try #require(
        Self.exceptions[place] ?? Self.calls[place.command],
        "no call is known for \(place.testDescription)")
      for source in ["/dev/zero", "pipe"] {
        let schema = place.option == "schema-ref" ? "--schema s.json " : ""
        let words = call.replacing("X", with: "\(schema)--\(place.option) \(source)")
        let run = try program.sh(
          """
          cd work; ulimit -v 1000000; mkfifo pipe; yes > pipe 2>/dev/null & writer=$!
          change=$(pnmerge log a --json | grep -o '"id":"[^"]*"' | tail -n 1 | cut -d '"' -f 4)
          pnmerge \(words.replacing("CHANGE", with: "$change")); echo $?
          kill $writer 2>/dev/null; rm pipe; cmp a old; cmp b old-b; ls | diff names -
          """)
        #expect(run.output == "66\n", "\(words): \(run)")
        let line =
          "pnmerge: \(source): cannot read: "
          + "more than 64 MiB come from a pipe or device; write them to a file first\n"
        #expect(run.errors == line, "\(words)")
      }
    }
  }
}
