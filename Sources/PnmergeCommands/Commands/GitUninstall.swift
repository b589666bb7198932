import ArgumentParser

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
    var installation = GitInstallation(invocation: invocation, isDryRun: dryRun)
    let scope = global ? GitConfiguration.Scope.global : .local
    if !global {
      try installation.repository.requireRepository(hint: GitPlace.hint)
      try installation.removeHook()
      try installation.forgetTexts(wherever: true)
    }
    for place in AttributesPlace.allCases where place.scope == scope {
      try installation.removeAttributes(place)
    }
    try installation.removeConfiguration(in: scope)
    for line in installation.log { try invocation.console.report(line) }
    if installation.log.isEmpty { try invocation.console.report("nothing was set up") }
    return .done
  }
}
