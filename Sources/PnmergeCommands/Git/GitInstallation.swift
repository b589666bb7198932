import PeernoteJSON

/// Sets git up to use this program, and takes that back.
///
/// Its functions look at one part each and plan what is to be done to it, or throw; nothing is written
/// before ``carryOut(orSay:)``.
struct GitInstallation {
  let repository: GitRepository
  private let invocation: Invocation
  private let scope: GitConfiguration.Scope
  private let configuration: GitConfiguration
  /// What is done, in sentences.
  private var log: [String] = []
  private var steps: [() throws -> Void] = []

  init(_ invocation: Invocation, in scope: GitConfiguration.Scope) throws(Failure) {
    (self.invocation, self.scope) = (invocation, scope)
    repository = GitRepository(host: invocation.host)
    if scope == .local {
      try repository.requireRepository(hint: "; --global works outside of one")
    }
    configuration = try GitConfiguration(repository)
  }

  /// Does what was planned, unless it is a dry run, and says it, or that there was `nothing`.
  func carryOut(orSay nothing: String) throws {
    if !invocation.isTrial { for step in steps { try step() } }
    for line in log.isEmpty ? [nothing] : log { try invocation.console.report(line) }
  }

  // MARK: Configuration

  /// Sets the driver, the text conversion and the merge tool; throws if somebody else's value is in the
  /// way.
  mutating func configure(_ program: [UInt8], isStrict: Bool) throws(Failure) {
    var others: [String] = []
    var news: [(key: String, value: [UInt8])] = []
    for setting in GitSetting.allCases {
      let (key, value) = (setting.rawValue, setting.value(program, isStrict: isStrict))
      let old = configuration[key, scope]
      if old?.value != value { news.append((key, value)) }
      guard let old, !configuration.isOurs(setting, scope) else { continue }
      guard old.value == value else {
        throw Failure(
          .cannotCreate,
          "\(key) is set to \(quoted(old.text)), which is not ours; remove it first "
            + "(git config --\(scope.rawValue) --unset-all \(key)); nothing was written")
      }
      others.append(key)
    }
    if news.isEmpty { return }
    log.append(
      "\(scope.rawValue) configuration: \(did("set")) the merge driver, the text for diff and log, "
        + "and the merge tool")
    // Before the commands: what belongs to these counts as ours unless the record names it.
    let record = GitConfiguration.recordOfOthers
    if others.isEmpty { unset(record) } else { set(record, others.joined(separator: " ")) }
    for (key, value) in news { git("config", scope.option, FileName(key), FileName(bytes: value)) }
  }

  /// Removes what ``configure(_:isStrict:)`` set.
  mutating func removeConfiguration() {
    let present = GitSetting.allCases.filter { configuration[$0.rawValue, scope] != nil }
    // What gives a value its meaning goes last.
    for setting in present.reversed() {
      if configuration.isOurs(setting, scope) {
        unset(setting.rawValue)
      } else if let old = configuration[setting.rawValue, scope] {
        log.append(
          "\(setting.rawValue) stays: it is set to \(quoted(old.text)), which is not ours")
      }
    }
    if present.contains(where: { configuration.isOurs($0, scope) }) {
      log.append("\(scope.rawValue) configuration: \(did("removed")) what was set")
    }
    unset(GitConfiguration.recordOfOthers)
  }

  /// Has git forget the texts that it keeps of documents: `wherever` they are from, or only if a
  /// git that did not find the program made some of them.
  mutating func forgetTexts(wherever: Bool) throws(Failure) {
    guard try repository.keepsTexts(withoutProgram: !wherever) else { return }
    log.append("\(did("removed")) the texts that git kept for diff and log")
    git("update-ref", "-d", GitSetting.textCacheReference)
  }

  private mutating func set(_ key: String, _ value: String) {
    git("config", scope.option, FileName(key), FileName(value))
  }

  private mutating func unset(_ key: String) {
    if configuration[key, scope] == nil { return }
    git("config", scope.option, "--unset-all", FileName(key))
  }

  private mutating func git(_ arguments: FileName...) {
    steps.append { [repository] in _ = try repository.output(arguments) }
  }

  // MARK: Attributes

  mutating func addAttributes(_ place: AttributesPlace) throws(Failure) {
    guard let file = try place.file(repository) else { return }
    let old = try attributes(place, file)
    let patterns = AttributesFile.missing(in: old ?? [])
    if patterns.isEmpty { return }
    log.append(
      "\(shown(file)): \(did("added")) \(lines(patterns))"
        + (place == .workTree ? "; commit it, so that every clone has it" : ""))
    var record = old == nil ? ["created"] : recorded(place) ?? ["added"]
    record += patterns.filter { !record.contains($0) }
    write(AttributesFile.adding(patterns, to: old ?? []), to: file)
    set(place.rawValue, record.joined(separator: " "))
  }

  /// Removes the lines that were ours to add.
  mutating func removeAttributes(_ place: AttributesPlace) throws(Failure) {
    guard let record = recorded(place) else { return }
    let patterns = Array(record.dropFirst())
    if let file = try place.file(repository), let old = try attributes(place, file),
      let new = AttributesFile.removing(patterns, from: old)
    {
      log.append("\(shown(file)): \(did("removed")) \(lines(patterns))")
      write(new.isEmpty && record[0] == "created" ? nil : new, to: file)
    }
    unset(place.rawValue)
  }

  /// What was done to a file of attributes, in words.
  private func recorded(_ place: AttributesPlace) -> [String]? {
    guard let text = configuration[place.rawValue, scope]?.text else { return nil }
    let words = text.split(separator: " ").map { String($0) }
    // Earlier versions knew one pattern, and wrote none.
    return words.count > 1 ? words : [words.first ?? "added", "*.peernote"]
  }

  private func lines(_ patterns: [String]) -> String {
    "\(patterns.count == 1 ? "the line" : "lines") for \(patterns.joined(separator: ", "))"
  }

  private func attributes(_ place: AttributesPlace, _ file: FileName) throws(Failure) -> [UInt8]? {
    // The repository may bring a link: git does not follow it, and it may lead anywhere.
    if place == .workTree {
      let entry = try file.creating(invocation.host.identity(of: file, followingLinks: false))
      guard entry?.kind ?? .regular == .regular else {
        throw HostError(.notRegularFile, "it is not a regular file").whileCreating(file)
      }
    }
    return try invocation.bytesIfPresent(file)
  }

  // MARK: The hook of before

  /// Removes the lines that earlier versions put into the hook before a commit, right after its first
  /// line.
  mutating func removeHook() throws(Failure) {
    let file = try repository.path("hooks/pre-commit")
    guard let old = try invocation.bytesIfPresent(file),
      let start = old.range(of: "# pnmerge git install --hooks: begin\n")?.lowerBound,
      let end = old[start...].range(of: "# pnmerge git install --hooks: end\n")?.upperBound
    else { return }
    log.append("\(shown(file)): \(did("removed")) our lines")
    let new = Array(old[..<start] + old[end...])
    write(new.elementsEqual("#!/bin/sh\n".utf8) ? nil : new, to: file)
  }

  // MARK: Files

  private func did(_ verb: String) -> String {
    invocation.isTrial ? "would \(["added": "add", "removed": "remove"][verb] ?? verb)" : verb
  }

  /// A file's name from the working directory.
  private func shown(_ file: FileName) -> String {
    let prefix = invocation.host.workingDirectory.bytes + [UInt8(ascii: "/")]
    return file.bytes.starts(with: prefix)
      ? FileName(bytes: file.bytes.dropFirst(prefix.count)).visible : file.visible
  }

  /// Plans to write a file, or to remove it.
  private mutating func write(_ bytes: [UInt8]?, to file: FileName) {
    steps.append { [invocation] in
      let host = invocation.host
      if let bytes {
        try file.directory.creating(host.makeDirectories(file.directory))
        _ = try Replacement(of: file, expecting: .any, invocation)(
          compute: { _ in .init(bytes, report: ()) })
        return
      }
      do throws(HostError) {
        try host.remove(file)
      } catch {
        throw Failure(.ioError, file: file, "cannot remove: \(error.explanation)")
      }
    }
  }
}
