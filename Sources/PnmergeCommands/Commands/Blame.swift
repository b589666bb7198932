import ArgumentParser
import Peernote
import PeernoteJSON

struct Blame: OptionsCommand, OneFileCommand {
  static let configuration = configured(
    "Show who wrote which line of a text.", takes: "<file> [<path>]",
    """
    Each line begins with the change that last wrote something in it, its author and time (UTC).

    Example:
      pnmerge blame notes.peernote
      pnmerge blame notes.peernote /agenda/0/discussion
    """)

  @Argument(help: .of("file", "The document; - is standard input."))
  var file: FileName

  @Argument(help: .of("path", "Which text: a JSON Pointer."), transform: PathArgument.parse)
  var path = JSONPointer(["body"])

  @Option(
    name: .customLong("at"),
    help: .of("change", "As it was right after this change; repeatable."))
  var versions: [String] = []

  @OptionGroup var options: ReportOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let operand = try invocation.operand(file)
    let whole = try operand.document()
    var document = whole
    if !versions.isEmpty {
      let gaps = try document.content(named: versions, at: path, in: file).gaps
      try invocation.say(gaps, in: file, "; \u{FFFD} stands for each")
      document = try document.version(named: versions, in: file)
    }
    try operand.sayIfOther(
      document.node(at: path), at: path, asOf: document.heads, of: whole.heads)
    let lines = try lines(of: document)
    if json {
      try invocation.console.printResult(
        JSONReport([
          "path": .json(.string(path.description)),
          "lines": .list { add in
            try lines.forEachLine { line in
              let change = lines.changes[line.change]
              try add([
                "line": .count(line.number), "text": .string(lines.text(of: line)),
                "change": .string(change.id.description), "author": .string(change.author),
                "time": .string(change.time.iso8601),
              ])
            }
          },
        ]))
      return .done
    }
    let authors = AuthorWords(of: document, from: file, invocation.host)
    var (nameWidth, authorWidth, count) = (0, 0, 0)
    var last = -1
    var times: [Int: String] = [:]
    lines.forEachLine { line in
      count = line.number
      if line.change == last { return }
      last = line.change
      let change = lines.changes[last]
      nameWidth = max(nameWidth, change.id.description.utf8.count)
      authorWidth = max(authorWidth, authors.words(for: change).count)
      times[last] = invocation.time(of: change)
    }
    let timeWidth = times.values.lazy.map(\.count).max() ?? 0
    let numberWidth = String(count).utf8.count
    try lines.forEachLine { line in
      let change = lines.changes[line.change]
      let name = change.id.description
      let author = authors.words(for: change)
      let number = String(line.number)
      let time = times[line.change] ?? ""
      let columns = [
        spaces(nameWidth - name.utf8.count), author + spaces(authorWidth - author.count),
        time + spaces(timeWidth - time.count), spaces(numberWidth - number.utf8.count) + number,
        lines.text(of: line),
      ]
      try invocation.console.printResult("\(name, .yellow)\(columns.joined(separator: "  "))")
    }
    return .done
  }

  private func lines(of document: Document) throws(Failure) -> BlamedLines {
    let passages = try file.parsing(
      document.passages(ofTextAt: path))
    guard let passages, case .text(let text) = document.node(at: path) else {
      let isThere = document.node(at: path) != nil
      let hint = "which has one author: pnmerge log -p \(shellQuoted(file))"
      throw file.failure(
        .usage, "there is no text at \(path.visible)" + (isThere ? " but a value, \(hint)" : ""))
    }
    return BlamedLines(text: text, changes: document.changes, passages: passages)
  }
}
