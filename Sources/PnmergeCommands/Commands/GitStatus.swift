import ArgumentParser
import PeernoteJSON

struct GitStatus: OptionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what is set up, what is missing and what is dangerous.",
    discussion: """
      Looks at the configuration, at the attributes of all documents that git tracks, and at the \
      documents in the work tree. The status is 1 if something is missing or dangerous.

      Example:
        pnmerge git status
      """)

  @OptionGroup var options: ReportOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let checkup = try GitCheckup(invocation)
    if json {
      let findings = checkup.findings.map { finding -> JSON in
        [
          "state": .string(finding.state.rawValue), "topic": .string(finding.topic),
          "message": .string(finding.sentence),
        ]
      }
      try invocation.console.printResult([
        "healthy": .bool(checkup.isHealthy), "findings": .array(findings),
      ])
    } else {
      try report(checkup, invocation.console)
    }
    try invocation.console.flush()
    return checkup.isHealthy ? .done : .different
  }

  private func report(_ checkup: GitCheckup, _ console: Console) throws {
    for finding in checkup.findings {
      let style: Style
      switch finding.state {
      case .ok:
        if console.isQuiet { continue }
        style = .green
      case .hint: style = .cyan
      case .missing: style = .yellow
      case .danger: style = .red
      }
      let word = finding.state.rawValue
      let gap = String(repeating: " ", count: 9 - word.utf8.count)
      try console.printResult("\(word, style)\(gap)\(finding.sentence)")
    }
  }
}
