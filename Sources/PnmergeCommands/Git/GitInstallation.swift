import PeernoteJSON

/// Sets git up to use this program, and takes that back.
///
/// Its functions look at one part each and plan what is to be done to it, or throw; nothing is written
/// before ``carryOut()``.
struct GitInstallation {
  /// What is done to one file or value.
  private enum Step {
    case write([UInt8], FileName)
    case remove(FileName)
    case set(String, [UInt8], GitConfiguration.Scope)
    case unset(String, GitConfiguration.Scope)
    case forgetTexts
  }

  let invocation: Invocation
  let isDryRun: Bool
  /// What was done, in sentences.
  private(set) var log: [String] = []
  private var steps: [Step] = []

  /// Plans nothing yet.
  init(invocation: Invocation, isDryRun: Bool) {
    self.invocation = invocation
    self.isDryRun = isDryRun
  }

  var repository: GitRepository { GitRepository(host: invocation.host) }

  /// Does what was planned, unless it is a dry run.
  func carryOut() throws {
    for step in isDryRun ? [] : steps {
      switch step {
      case .write(let bytes, let file):
        try file.directory.creating(invocation.host.makeDirectories(file.directory))
        _ = try Replacement(of: file, expecting: .any, invocation)(
          compute: { _ in .init(bytes, report: ()) })
      case .remove(let file):
        do throws(HostError) {
          try invocation.host.remove(file)
        } catch {
          throw Failure(.ioError, file: file, "cannot remove: \(error.explanation)")
        }
      case .set(let key, let value, let scope): try repository.set(key, value, in: scope)
      case .unset(let key, let scope): try repository.unset(key, in: scope)
      case .forgetTexts:
        _ = try repository.output(["update-ref", "-d", GitSettings.textCacheReference])
      }
    }
  }

  // MARK: Configuration

  /// Sets the driver, the text conversion and the merge tool.
  ///
  /// Throws if somebody else's value is in the way.
  mutating func configure(
    _ settings: GitSettings, in scope: GitConfiguration.Scope
  ) throws(Failure) {
    let configuration = try GitConfiguration(repository)
    var others: [String] = []
    for (key, value) in settings.values {
      guard let old = configuration[key, scope], !configuration.isOurs(key, scope) else { continue }
      guard old.value == value else {
        throw Failure(
          .cannotCreate,
          "\(key) is set to \(quoted(old.text)), which is not ours; remove it first "
            + "(git config --\(scope.rawValue) --unset-all \(key)); nothing was written")
      }
      others.append(key)
    }
    let news = settings.values.filter { configuration[$0.key, scope]?.value != $0.value }
    guard !news.isEmpty else { return }
    log.append(
      "\(scope.rawValue) configuration: \(did("set")) the merge driver, the text for diff and log, "
        + "and the merge tool")
    // Before the commands: what belongs to these counts as ours unless the record names it.
    let record = others.joined(separator: " ")
    if !record.isEmpty {
      steps.append(.set(GitConfiguration.recordOfOthers, Array(record.utf8), scope))
    } else if configuration[GitConfiguration.recordOfOthers, scope] != nil {
      steps.append(.unset(GitConfiguration.recordOfOthers, scope))
    }
    steps += news.map { .set($0.key, $0.value, scope) }
  }

  /// Removes what ``configure(_:in:)`` set.
  mutating func removeConfiguration(in scope: GitConfiguration.Scope) throws(Failure) {
    let configuration = try GitConfiguration(repository)
    var removed = false
    // What gives a value its meaning goes last.
    for (key, _) in GitSettings.Key.commands.reversed() {
      guard let old = configuration[key, scope] else { continue }
      guard configuration.isOurs(key, scope) else {
        log.append("\(key) stays: it is set to \(quoted(old.text)), which is not ours")
        continue
      }
      removed = true
      steps.append(.unset(key, scope))
    }
    if removed { log.append("\(scope.rawValue) configuration: \(did("removed")) what was set") }
    if configuration[GitConfiguration.recordOfOthers, scope] != nil {
      steps.append(.unset(GitConfiguration.recordOfOthers, scope))
    }
  }

  /// Has git forget the texts that it keeps of documents: `wherever` they are from, or only if a
  /// git that did not find the program made some of them.
  mutating func forgetTexts(wherever: Bool) throws(Failure) {
    guard try wherever ? repository.keepsTexts : repository.keepsTextsWithoutProgram else { return }
    log.append("\(did("removed")) the texts that git kept for diff and log")
    steps.append(.forgetTexts)
  }

  // MARK: Attributes

  /// Adds the lines for documents to a file of attributes.
  mutating func addAttributes(_ place: AttributesPlace) throws(Failure) {
    guard let file = try place.file(repository) else { return }
    try checkAttributes(place, file)
    let old = try contents(of: file)
    let patterns = AttributesFile.missing(in: old ?? [])
    guard !patterns.isEmpty else { return }
    log.append(
      "\(shown(file)): \(did("added")) \(lines(patterns))"
        + (place == .workTree ? "; commit it, so that every clone has it" : ""))
    let before = try GitConfiguration(repository)[place.record, place.scope]
    var record =
      before.flatMap { old == nil ? nil : AttributesRecord($0.text) }
      ?? AttributesRecord(isCreated: old == nil)
    record.patterns += patterns.filter { !record.patterns.contains($0) }
    steps.append(.write(AttributesFile.adding(patterns, to: old ?? []), file))
    steps.append(.set(place.record, Array(record.text.utf8), place.scope))
  }

  private func lines(_ patterns: [String]) -> String {
    "\(patterns.count == 1 ? "the line" : "lines") for \(patterns.joined(separator: ", "))"
  }

  /// Removes the lines that were ours to add.
  mutating func removeAttributes(_ place: AttributesPlace) throws(Failure) {
    guard let kept = try GitConfiguration(repository)[place.record, place.scope] else { return }
    let record = AttributesRecord(kept.text)
    let file = try place.file(repository)
    if let file { try checkAttributes(place, file) }
    if let file, let old = try contents(of: file),
      let new = AttributesFile.removing(record.patterns, from: old)
    {
      log.append("\(shown(file)): \(did("removed")) \(lines(record.patterns))")
      steps.append(new.isEmpty && record.isCreated ? .remove(file) : .write(new, file))
    }
    steps.append(.unset(place.record, place.scope))
  }

  /// Refuses a link that the repository brings: git does not follow it, and it may lead anywhere.
  private func checkAttributes(_ place: AttributesPlace, _ file: FileName) throws(Failure) {
    guard place == .workTree else { return }
    let entry = try file.creating(invocation.host.identity(of: file, followingLinks: false))
    guard entry?.kind ?? .regular == .regular else {
      throw HostError(.notRegularFile, "it is not a regular file").whileCreating(file)
    }
  }

  // MARK: The hook of before

  /// Removes the lines that earlier versions put into the hook before a commit, right after its first
  /// line.
  mutating func removeHook() throws(Failure) {
    let file = try repository.path("hooks/pre-commit")
    guard let old = try contents(of: file),
      let start = old.range(of: "# pnmerge git install --hooks: begin\n")?.lowerBound,
      let end = old[start...].range(of: "# pnmerge git install --hooks: end\n")?.upperBound
    else { return }
    log.append("\(shown(file)): \(did("removed")) our lines")
    let new = Array(old[..<start] + old[end...])
    steps.append(new.elementsEqual("#!/bin/sh\n".utf8) ? .remove(file) : .write(new, file))
  }

  // MARK: Files

  private func did(_ verb: String) -> String {
    guard isDryRun else { return verb }
    let plain = ["set": "set", "added": "add", "removed": "remove"]
    return "would " + (plain[verb] ?? verb)
  }

  /// A file's name from the working directory.
  private func shown(_ file: FileName) -> String {
    let prefix = invocation.host.workingDirectory.bytes + [UInt8(ascii: "/")]
    return file.bytes.starts(with: prefix)
      ? FileName(bytes: file.bytes.dropFirst(prefix.count)).visible : file.visible
  }

  private func contents(of file: FileName) throws(Failure) -> [UInt8]? {
    guard try file.reading(invocation.host.identity(of: file, followingLinks: true)) != nil else {
      return nil
    }
    return try invocation.readBytes(file)
  }
}
