import PeernoteJSON
import PnmergeCommands
import Testing

/// Whatever a program says goes through the console, which escapes it.
@Suite("What is said") struct ConsoleTests {
  private static let text = "a\u{1B}[31mb\u{9B}2J\r\n\tc\u{202E}"
  private static let shown = "a\\u{1b}[31mb\\u{9b}2J\\r\\n\tc\\u{202e}"

  private let host = MemoryHost()
  private var console: Console { Console(host: host) }

  private var output: String { String(decoding: host.output, as: UTF8.self) }
  private var errors: String { String(decoding: host.errors, as: UTF8.self) }

  @Test("a result is one line, escaped wherever it goes", arguments: [false, true])
  func results(isTerminal: Bool) throws {
    if isTerminal { host.terminals = [.output] }
    let console = console
    try console.printResult(Self.text)
    try console.report(Self.text)
    try console.flush()
    #expect(output == "\(Self.shown)\n\(Self.shown)\n")
  }

  @Test("a note or a warning is one line, escaped wherever it goes", arguments: [false, true])
  func notes(isTerminal: Bool) throws {
    if isTerminal { host.terminals = [.error] }
    let console = console
    try console.printError(Self.text)
    try console.warn(Self.text)
    console.reportStream = .error
    try console.report(Self.text)
    #expect(errors == "\(Self.shown)\npnmerge: warning: \(Self.shown)\n\(Self.shown)\n")
  }

  @Test("what was done is said once standard output has taken it")
  func fullOutput() throws {
    host.isOutputFull = true
    let console = console
    console.reportStream = .error
    try console.write("a document".utf8)
    let failure = #expect(throws: Failure.self) { try console.report("written") }
    #expect(failure?.status == .ioError && errors.isEmpty)
    try console.report("the rest")
    #expect(errors == "the rest\n")
  }

  @Test("a piece of a line has the style that it is given, and none of its own")
  func styles() throws {
    let console = console
    console.color = .always
    try console.printError("\(Self.text, .bold) and \(Self.text)")
    #expect(errors == "\u{1B}[1m\(Self.shown)\u{1B}[0m and \(Self.shown)\n")
    console.color = .never
    try console.printError("\(Self.text, .bold)")
    #expect(errors.hasSuffix("\n\(Self.shown)\n"))
  }

  @Test("content is shown escaped at a terminal, where it keeps its lines, and as it is elsewhere")
  func content() throws {
    for (terminals, expected) in [
      ([], Self.text), ([StandardStream.output], Self.shown.replacing("\\n", with: "\n")),
    ] {
      host.output = []
      host.terminals = Set(terminals)
      let console = console
      try console.writeText(Self.text)
      try console.flush()
      #expect(output == expected)
    }
  }

  @Test("what could act on a terminal or mislead a reader is escaped, and nothing else")
  func hazards() {
    // C0, DEL, C1; marks, separators, embeddings and isolates of direction and lines; the byte
    // order mark; annotations; tags.
    let hazards: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
      0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F,
    ]
    let named: [UInt32: String] = [9: "\\t", 10: "\\n", 13: "\\r"]
    for range in [0...0x2FFF, 0xE000...0x10100, 0xDFF00...0xE0200] as [ClosedRange<UInt32>] {
      for value in range {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let text = "x\(scalar)y"
        let isHazard = hazards.contains { $0.contains(value) }
        let wanted = named[value] ?? "\\u{\(String(value, radix: 16))}"
        guard visibleText(text) != (isHazard ? "x\(wanted)y" : text) else { continue }
        Issue.record("U+\(String(value, radix: 16)) is shown as \(visibleText(text))")
      }
    }
  }

  @Test("bytes of a name that are no text are shown by their number, the others as text is")
  func names() {
    let name: [UInt8] = [0x61, 0xFF, 0x1B, 0xC3, 0xA9, 0xC3, 0x62, 0xE2, 0x80]
    #expect(visibleText(of: name) == "a\\xff\\u{1b}é\\xc3b\\xe2\\x80")
    #expect(FileName(bytes: [0x61, 0x1B]).visible == "a\\u{1b}")
  }
}
