import ArgumentParser
import PeernoteJSON

struct GitInstall: OptionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Set git up to merge and show documents.",
    usage: "pnmerge git install [<options>]",
    discussion: """
      Configures the merge driver, the text for diff, log and blame, and the merge tool, and adds \
      lines for documents to .gitattributes. A clone without the configuration leaves notes \
      changed on both sides in conflict. Installing again is an update.

      Example:
        pnmerge git install
        pnmerge git install --global --absolute-path
      """)

  @Flag(help: "For all repositories of this user, not only the current one.")
  var global = false

  @Flag(help: "Write attributes to .git/info/attributes, which is not committed.")
  var infoAttributes = false

  @Flag(help: "Name this program by its whole path.")
  var absolutePath = false

  @Flag(help: "Leave conflicts to a person.")
  var strict = false

  @OptionGroup var options: WriteOptions

  func validate() throws {
    if global && infoAttributes {
      throw ValidationError("--global and --info-attributes exclude each other.")
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let program = try program(invocation)
    var installation = try GitInstallation(invocation, in: global ? .global : .local)
    let repository = installation.repository
    try installation.addAttributes(attributesPlace(repository))
    try installation.configure(program, isStrict: strict)
    if !global {
      try installation.forgetTexts(wherever: false)
      try installation.removeHook()
    }
    try installation.carryOut(orSay: "already set up")
    if !dryRun, try repository.gitDirectory != nil {
      for finding in try GitCheckup(invocation).findings where finding.isTrouble {
        try invocation.console.warn(finding.sentence)
      }
    }
    return .done
  }

  private func program(_ invocation: Invocation) throws(Failure) -> [UInt8] {
    guard absolutePath else { return Array("pnmerge".utf8) }
    guard let file = invocation.host.executable else {
      throw Failure(.unreadable, "cannot find out where this program is")
    }
    return file.shellWord
  }

  private func attributesPlace(_ repository: GitRepository) throws(Failure) -> AttributesPlace {
    if global { return .user }
    // A bare repository has no work tree to keep the file in.
    let hasWorkTree = try repository.top != nil
    return infoAttributes || !hasWorkTree ? .repository : .workTree
  }
}

struct GitUninstall: OptionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Undo what 'install' did.",
    discussion: """
      Removes the configuration and the attributes that 'install' added, and nothing else: what was there before, and what others set, stays.

      Example:
        pnmerge git uninstall
      """)

  @Flag(help: "Take back 'install --global'.")
  var global = false

  @OptionGroup var options: WriteOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    var installation = try GitInstallation(invocation, in: global ? .global : .local)
    if !global {
      try installation.removeHook()
      try installation.forgetTexts(wherever: true)
    }
    for place in global ? [.user] : [AttributesPlace.workTree, .repository] {
      try installation.removeAttributes(place)
    }
    installation.removeConfiguration()
    try installation.carryOut(orSay: "nothing was set up")
    return .done
  }
}

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
      try console.printResult("\(word, style)\(spaces(9 - word.utf8.count))\(finding.sentence)")
    }
  }
}
