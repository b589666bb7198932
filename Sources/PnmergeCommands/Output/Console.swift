import Peernote
package import PeernoteJSON

/// What a command says: results to standard output, the rest in sentences to standard error.
///
/// Standard output is collected and written in large pieces, always before anything goes to
/// standard error. Once nobody reads it any more the rest of it is dropped without a word: what the
/// command does to files, and its status, must not depend on who listens.
///
/// Lines for people are escaped here, whatever they are made of and wherever they go; a tab, which
/// does no harm, is left alone. What is not such a line is JSON, which escapes likewise, content
/// that was asked for (``writeText(_:_:end:)``), or bytes.
package final class Console {
  private let host: any Host
  private var pending: [UInt8] = []
  private let progressLine: ProgressLine
  /// Whether there is a place for it: a terminal that can clear a line.
  private lazy var hasProgressLine =
    host.isTerminal(.error) && host.environment("TERM") != Array("dumb".utf8)
  /// Says only what was asked for.
  package var isQuiet = false
  /// The files that were changed, which is said if the report of it cannot be written.
  var changedFiles: [FileName] = []
  /// Says more.
  package var isVerbose = false
  /// Where sentences for people go; standard error when a document goes to standard output.
  package var reportStream = StandardStream.output
  package var color = ColorChoice.auto

  package init(host: any Host) {
    self.host = host
    progressLine = ProgressLine(from: host.monotonicMilliseconds)
  }

  private static let pieceSize = 1 << 16

  /// Adds bytes to standard output.
  package func write(_ bytes: some Collection<UInt8>) throws {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.pieceSize { try flush() }
  }

  /// Adds text of many lines from a document to standard output: escaped at a terminal, as it is
  /// elsewhere; and what ends it.
  package func writeText(_ text: String, _ style: Style? = nil, end: String = "") throws {
    let shown = host.isTerminal(.output) ? visibleText(text, keeping: ["\n", "\t"]) : text
    try write((styled(shown, style) + end).utf8)
  }

  /// Adds the JSON that a document holds to standard output, indented, and a line end: escaped at a
  /// terminal.
  package func writeJSON(_ json: JSON) throws {
    guard host.isTerminal(.output) else {
      try json.write(indented: true) { try write($0) }
      return try write("\n".utf8)
    }
    try writeText(String(decoding: json.bytes(indented: true), as: UTF8.self), end: "\n")
  }

  package func printResult(_ line: String) throws { try printResult(StyledLine(line)) }

  /// Adds a line of the command's result to standard output.
  package func printResult(_ line: StyledLine) throws {
    try write((escaped(line) + "\n").utf8)
  }

  /// Adds a report of these members and a line end to standard output.
  package func printResult(_ members: KeyValuePairs<String, JSON>) throws {
    try printResult(JSONReport(members.map { ($0.key, .json($0.value)) }))
  }

  /// Adds a report and a line end to standard output.
  package func printResult(_ report: JSONReport) throws {
    try report.write { try self.write($0) }
    try write("\n".utf8)
  }

  /// Says a JSON object about what was done where sentences about it would go.
  package func report(_ report: JSONReport) throws {
    if reportStream == .output { return try printResult(report) }
    try flush()
    endProgress()
    // A lost message is no reason to stop.
    try report.write { try? self.host.write($0, to: .error) }
    try? host.write(Array("\n".utf8), to: .error)
  }

  package func report(_ line: String) throws { try report(StyledLine(line)) }

  /// Says a sentence about what was done, unless quiet.
  package func report(_ line: StyledLine) throws {
    if isQuiet { return }
    if reportStream == .output { return try printResult(line) }
    // Nothing was done that standard output does not take.
    try flush()
    try printError(line)
  }

  package func printError(_ line: String) throws { try printError(StyledLine(line)) }

  /// Says a line on standard error, quiet or not.
  package func printError(_ line: StyledLine) throws {
    defer {
      endProgress()
      // A lost message is no reason to stop.
      try? host.write(Array((escaped(line, on: .error) + "\n").utf8), to: .error)
    }
    try flush()
  }

  /// Says that something is not as it should be, without ending the command.
  package func warn(_ message: String) throws {
    try printError("pnmerge: warning: " + message)
  }

  /// Says how far work of many steps is: at a terminal, if it lasts over half a second, until
  /// something else is said.
  package func progress(_ text: @autoclosure () -> String) {
    guard !isQuiet, hasProgressLine else { return }
    progressLine.count(visibleText(text()), host)
  }

  /// Says likewise what is being done, unless it is a step of counted ones.
  package func step(_ text: @autoclosure () -> String) {
    guard !isQuiet, hasProgressLine else { return }
    progressLine.step(visibleText(text()), host)
  }

  /// Clears what was said of how far the work is, as whoever uses the terminal otherwise has to.
  package func endProgress() {
    progressLine.end { try? host.write($0, to: .error) }
  }

  /// Writes what is collected for standard output.
  package func flush() throws {
    endProgress()
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending = []
    do {
      try host.write(bytes, to: .output)
    } catch {
      if error.kind == .closedPipe { return }
      throw Failure(.ioError, "standard output: \(error.explanation)")
    }
  }

  /// A line as it goes out.
  private func escaped(_ line: StyledLine, on stream: StandardStream = .output) -> String {
    line.pieces.map { styled(visibleText($0.text, keeping: ["\t"]), $0.style, on: stream) }.joined()
  }

  /// Text in a style, if colours are wanted.
  private func styled(
    _ text: String, _ style: Style?, on stream: StandardStream = .output
  ) -> String {
    guard let style, !text.isEmpty, hasColor(on: stream) else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// Whether what goes there has colours.
  func hasColor(on stream: StandardStream) -> Bool {
    switch color {
    case .always: true
    case .never: false
    case .auto:
      host.isTerminal(stream) && (host.environment("NO_COLOR") ?? []).isEmpty
        && host.environment("TERM").map { $0 != Array("dumb".utf8) } ?? false
    }
  }
}

/// When to use colours.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

/// A line for people: pieces of text, some of which have a style.
///
/// ``Console`` escapes each piece when it shows the line, so that no piece can act on a terminal or
/// take on a style of its own, wherever its text is from. Written as a string in which an
/// interpolation may have a style: `"\(path, .bold)  \(sentence)"`.
package struct StyledLine: ExpressibleByStringInterpolation, StringInterpolationProtocol {
  package typealias StringInterpolation = StyledLine

  /// A part of the line.
  struct Piece {
    var text: String
    /// How it is shown; `nil` for plain text.
    var style: Style?
  }

  /// The line from left to right.
  private(set) var pieces: [Piece]

  /// A line of pieces.
  init(_ pieces: [Piece]) { self.pieces = pieces }

  /// A line in one style.
  package init(_ text: String, _ style: Style? = nil) {
    pieces = [Piece(text: text, style: style)]
  }

  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StyledLine) { self = stringInterpolation }

  package init(literalCapacity: Int, interpolationCount: Int) {
    pieces = []
    pieces.reserveCapacity(2 * interpolationCount + 1)
  }

  package mutating func appendLiteral(_ text: String) { appendInterpolation(text) }

  package mutating func appendInterpolation(_ text: String, _ style: Style? = nil) {
    pieces.append(Piece(text: text, style: style))
  }
}

extension Console {
  /// Prints a difference in the unified format; rows before the first `@@` are headers.
  func writeDifference(_ text: Substring) throws {
    var isHeader = true
    // By bytes: to a string, CR LF is one character and no line feed.
    for row in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      if row.starts(with: "@@".utf8) { isHeader = false }
      let style: Style? =
        switch row.first {
        case _ where isHeader: .bold
        case UInt8(ascii: "@"): .cyan
        case UInt8(ascii: "-"): .red
        case UInt8(ascii: "+"): .green
        default: nil
        }
      try writeText(String(Substring(row)), style, end: "\n")
    }
  }
}
