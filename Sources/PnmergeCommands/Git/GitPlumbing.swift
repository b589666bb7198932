import AutomergeFormat
import Peernote
import PeernoteJSON

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
    let words = arguments.map { FileName(bytes: $0) }
    guard words.count > 1, words[0] == "git",
      let command = allCases.first(where: { words[1] == FileName($0.rawValue) })
    else { return nil }
    // Whoever asks for help is told what it takes.
    var files = words.dropFirst(2).drop { ["-h", "--help", "--version"].contains($0) }
    let isStrict = command == .driver && files.first == "--strict"
    if isStrict { files.removeFirst() }
    if files.first == "--" { files.removeFirst() }
    return command.run(Array(files), isStrict: isStrict, invocation)
  }

  /// Runs the command with its operands; a strict driver leaves contested merges to a person.
  private func run(
    _ files: [FileName], isStrict: Bool, _ invocation: Invocation
  ) -> ExitStatus {
    // Earlier versions of `git install` had git put in five for the driver.
    guard files.count == operands.count || self == .driver && files.count == 5 else {
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
        isStrict: isStrict)(invocation)
    case .textconv:
      // Whoever closed the pipe has seen enough.
      try? invocation.console.write(Self.text(of: files[0], invocation.host).utf8)
      return .done
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

  /// `pnmerge git textconv`: a document as the text that git compares, lists and searches.
  ///
  /// Stable: equal content gives equal text, on any machine and at any time. A command that fails
  /// would end a whole `git log -p`, so whatever the file holds becomes a line of text.
  private static func text(of file: FileName, _ host: any Host) -> String {
    let bytes: [UInt8]
    do throws(HostError) {
      bytes = try host.read(file, limit: Invocation.inputLimit).bytes
    } catch {
      return "(unreadable: \(error.explanation))\n"
    }
    do {
      let root =
        AutomergeFile.begins(bytes)
        ? try AutomergeDocument([AutomergeCopy(required: bytes, from: file)]).state.root
        : try DocumentReader(bytes: bytes).root
      // git may show it at a terminal as it is, and nothing reads it back.
      return visibleText(PlainText.readableForm(of: root), keeping: ["\n", "\t"])
    } catch {
      if let pointer = LFSPointer(bytes) {
        return "(in Git LFS: \(visibleText(pointer.oid)), \(counted(pointer.size, "byte")))\n"
      }
      let state =
        switch (error as? DocumentError)?.kind {
        case nil: "damaged Automerge document"
        case .newerFormat: "peernote of a newer format"
        case .damaged, .limit, .noSuchVersion: "damaged peernote"
        }
      let reason = (error as? Failure)?.message ?? "\(error)"
      return "(\(state), \(counted(bytes.count, "byte")): \(visibleText(reason)))\n"
    }
  }
}
