/// The commands that git runs by itself.
///
/// git starts a process for each file that both sides changed, and two for each change that it
/// shows, so these are recognised before the argument parser is built, which takes longer than the
/// work (see pnmerge(1), "git driver"). Their arguments come from git and are names, never options.
enum GitPlumbing: String, CaseIterable {
  case driver
  case textconv
  case mergetool

  /// Runs the command that the arguments name; `nil` if they are for the parser.
  static func run(_ arguments: [[UInt8]], _ invocation: Invocation) -> ExitStatus? {
    guard arguments.count > 1, arguments[0].elementsEqual("git".utf8),
      let command = allCases.first(where: { arguments[1].elementsEqual($0.rawValue.utf8) }),
      !arguments.dropFirst(2).prefix(1).contains(where: asksForHelp)
    else { return nil }
    var rest = arguments.dropFirst(2)
    let isStrict =
      command == .driver && rest.first.map { $0.elementsEqual("--strict".utf8) } ?? false
    if isStrict { rest = rest.dropFirst() }
    let isMarked = rest.first.map { $0.elementsEqual("--".utf8) } ?? false
    return command.run(
      rest.dropFirst(isMarked ? 1 : 0).map { FileName(bytes: $0) }, isStrict: isStrict, invocation)
  }

  private static func asksForHelp(_ argument: [UInt8]) -> Bool {
    ["-h", "--help", "--version"].contains { argument.elementsEqual($0.utf8) }
  }

  /// Runs the command with its operands; a strict driver leaves contested merges to a person.
  private func run(
    _ files: [FileName], isStrict: Bool, _ invocation: Invocation
  ) -> ExitStatus {
    guard [operands.count, earlierCount].contains(files.count) else {
      let sentence =
        "git \(rawValue) takes \(operands.joined(separator: " ")); "
        + "'pnmerge git status' checks what is set up"
      try? invocation.console.printError("pnmerge: \(sentence)")
      guard self == .textconv else { return .different }
      // A failure would end the log that git shows.
      try? invocation.console.printResult("(\(sentence))")
      return .done
    }
    switch self {
    case .driver:
      return MergeDriver(
        ancestor: files[0], current: files[1], incoming: files[2],
        markerSize: Int(files[3].visible) ?? 0, path: files[4], labels: Array(files[5...]),
        isStrict: isStrict)(
          invocation)
    case .textconv:
      return TextConversion(file: files[0])(invocation)
    case .mergetool:
      return MergeTool(
        ancestor: files[0], current: files[1], incoming: files[2], merged: files[3])(invocation)
    }
  }

  /// What git puts after `--`.
  var operands: [String] {
    switch self {
    case .driver: ["%O", "%A", "%B", "%L", "%P", "%S", "%X", "%Y"]
    case .textconv: ["FILE"]
    case .mergetool: ["BASE", "LOCAL", "REMOTE", "MERGED"]
    }
  }

  /// How many of these earlier versions of `git install` had git put in.
  private var earlierCount: Int { self == .driver ? 5 : operands.count }
}
