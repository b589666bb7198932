import Peernote

extension Invocation {
  /// The editing session of this run; `file` decides which git repository is asked for the author.
  func session(
    _ authorship: Authorship? = nil, for file: FileName
  ) throws(Failure) -> DocumentSession {
    DocumentSession(
      agent: authorship?.agent?.value ?? AgentID(rawValue: host.randomBits()),
      author: authorship?.author?.text ?? defaultAuthor(for: file), time: try currentTime())
  }

  /// Now, or the time that SOURCE_DATE_EPOCH, in seconds since 1970, stands for.
  func currentTime() throws(Failure) -> Timestamp {
    try givenTime() ?? host.now
  }

  /// The time that SOURCE_DATE_EPOCH stands for; `nil` if it is not set.
  func givenTime() throws(Failure) -> Timestamp? {
    guard let epoch = host.environment("SOURCE_DATE_EPOCH"), !epoch.isEmpty else { return nil }
    guard let seconds = Int64(String(decoding: epoch, as: UTF8.self)),
      abs(seconds) < 1 << 40
    else { throw Failure(.usage, "SOURCE_DATE_EPOCH is not a number of seconds") }
    return Timestamp(milliseconds: seconds * 1000)
  }

  private func defaultAuthor(for file: FileName) -> String {
    if let author = host.environment("PNMERGE_AUTHOR"), !author.isEmpty {
      return String(decoding: author, as: UTF8.self)
    }
    return gitUserName(near: file) ?? host.loginName
  }

  /// git's `user.name`, if `file` is inside a repository.
  private func gitUserName(near file: FileName) -> String? {
    let here = host.workingDirectory
    let start =
      file.isStandardStream
      ? here : ((try? host.resolved(file)) ?? file.absolute(from: here)).directory
    guard host.isInsideRepository(start) else { return nil }
    let result = try? host.run(
      ["git", "-C", start, "config", "--get", "user.name"], input: [])
    guard let result, result.status == 0 else { return nil }
    let name = result.output.prefix { $0 != UInt8(ascii: "\n") }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}

extension Host {
  /// Whether a directory, or one above it, holds what git calls a repository.
  func isInsideRepository(_ start: FileName) -> Bool {
    var directory = start
    while true {
      let entry = try? identity(of: directory.appending(".git"), followingLinks: true)
      if entry != nil { return true }
      let parent = directory.directory
      // Every absolute name leads to the root, whose parent is itself.
      guard directory.isAbsolute, parent != directory else { return false }
      directory = parent
    }
  }
}

extension Invocation {
  /// A time for people, where this program runs.
  func localText(_ time: Timestamp) -> String {
    let now = (try? currentTime()) ?? host.now
    let currentYear = CivilTime(now, secondsFromUTC: host.secondsFromUTC(at: now)).year
    return CivilTime(time, secondsFromUTC: host.secondsFromUTC(at: time))
      .shortText(currentYear: currentYear)
  }

  /// Who did something, and when; MeetingNotes gives its changes no time.
  func signature(_ names: String, _ time: Timestamp?) -> String {
    guard let time, time.milliseconds != 0 else { return names }
    return "\(names), \(localText(time))"
  }

  /// When a change was made, in a list of changes.
  func time(of change: ChangeSummary) -> String {
    change.time.milliseconds == 0 ? "no time" : localText(change.time)
  }
}
