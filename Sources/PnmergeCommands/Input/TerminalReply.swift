/// What somebody at the terminal said to a question.
enum TerminalReply: Equatable {
  /// A line, without blanks at its ends.
  case line(String)
  /// The end of the input.
  case end
  /// An interrupt from the keyboard.
  case interrupt
}

extension Invocation {
  /// Asks at the terminal.
  func ask(_ prompt: String) throws -> TerminalReply {
    try console.flush()
    func show() { try? host.write(Array(prompt.utf8), to: .error) }
    show()
    let line: [UInt8]?
    do throws(HostError) {
      line = try host.readLineFromTerminal(whenResumed: show)
    } catch {
      guard error.kind == .interrupted else { throw error.whileReading(FileName("-")) }
      try console.printError("")
      return .interrupt
    }
    guard let line else {
      try console.printError("")
      return .end
    }
    let blanks = Set("\r\t ".utf8)
    let start = line.firstIndex { !blanks.contains($0) } ?? line.endIndex
    let end = line.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? start
    return .line(String(decoding: line[start..<end], as: UTF8.self))
  }
}
