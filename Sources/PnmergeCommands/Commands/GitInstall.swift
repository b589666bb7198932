import ArgumentParser

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

  @OptionGroup var place: GitPlace

  @Flag(help: "Name this program by its whole path.")
  var absolutePath = false

  @Flag(
    help: "Leave conflicts to a person.")
  var strict = false

  @OptionGroup var options: WriteOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let program = try program(invocation)
    var installation = GitInstallation(invocation: invocation, isDryRun: dryRun)
    if !place.global { try installation.repository.requireRepository(hint: GitPlace.hint) }
    try installation.configure(
      GitSettings(program: program, isStrict: strict), in: place.global ? .global : .local)
    if !place.global { try installation.forgetTexts(wherever: false) }
    try installation.addAttributes(attributesPlace(installation.repository))
    if !place.global { try installation.removeHook() }
    for line in installation.log { try invocation.console.report(line) }
    if installation.log.isEmpty { try invocation.console.report("already set up") }
    if !dryRun, try installation.repository.gitDirectory != nil {
      for finding in try GitCheckup(invocation).findings {
        switch finding.state {
        case .ok, .hint: break
        case .missing, .danger: try invocation.console.warn(finding.sentence)
        }
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
    if place.global { return .user }
    // A bare repository has no work tree to keep the file in.
    let hasWorkTree = try repository.top != nil
    return place.infoAttributes || !hasWorkTree ? .repository : .workTree
  }
}
