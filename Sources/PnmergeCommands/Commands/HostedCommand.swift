import ArgumentParser
import Peernote

/// A command that runs on a host.
protocol HostedCommand: ParsableCommand {
  var verbosity: Verbosity { get }

  /// Whether nothing is to be kept that it writes.
  var dryRun: Bool { get }

  /// What can be wrong with arguments that are right each by itself.
  var mistakes: Mistakes { get }

  /// Does the command's work.
  func run(_ invocation: Invocation) throws -> ExitStatus
}

/// What is said of arguments that do not go together, and whether they are given; the first one counts.
///
/// The parser knows none of it, and so names unknown options before.
typealias Mistakes = KeyValuePairs<String, Bool>

extension HostedCommand {
  /// What the parser has to know of it, whose name is that of its type unless another one is given.
  static func configured(
    _ abstract: String, takes arguments: String, as name: String? = nil, _ discussion: String
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: abstract,
      usage: "pnmerge \(name ?? "\(self)".lowercased()) [<options>] \(arguments)",
      discussion: discussion)
  }

  var dryRun: Bool { false }
  var mistakes: Mistakes { [:] }

  /// Never called: ``runPnmerge(arguments:host:)`` calls ``run(_:)``.
  func run() {}
}

/// A command whose verbosity is among its other options.
protocol OptionsCommand: HostedCommand {
  associatedtype Options: CommandOptions

  var options: Options { get }
}

extension OptionsCommand {
  var verbosity: Verbosity { options.verbosity }
  var dryRun: Bool { options.dryRun }
}

extension OptionsCommand where Options == ReportOptions {
  var json: Bool { options.json }
}

/// A command that takes any number of files; see ``ArgumentText/joiningNames(_:)``.
protocol FilesCommand: HostedCommand {
  var files: [FileName] { get set }
}

/// A command to which a tracked plain file stands for its history.
protocol HistoryCommand: HostedCommand {
  /// Whether it may change the history, so that the plain file has to follow.
  static var changesHistory: Bool { get }

  /// The documents that it is given, of which as many are set.
  var files: [FileName] { get set }
}

/// One of them with one file.
protocol OneFileCommand: HistoryCommand {
  var file: FileName { get set }
}

extension OneFileCommand {
  var files: [FileName] {
    get { [file] }
    set { file = newValue[0] }
  }
}

extension HistoryCommand {
  static var changesHistory: Bool { false }

  /// Runs it on the histories of the tracked plain files that are named.
  func runOnHistories(_ invocation: Invocation) throws -> ExitStatus {
    var command = self
    var plain: [FileName] = []
    command.files = try files.map { file in
      guard let history = try invocation.history(of: file) else { return file }
      plain.append(file)
      return history
    }
    let status = try command.run(invocation)
    if Self.changesHistory, status == .done, let first = plain.first {
      try invocation.console.report(
        "\(first.visible): follows with the next 'tidy', 'sync' or 'watch'")
    }
    return status
  }
}

extension Invocation {
  /// The history of a tracked plain file, `nil` for a file of another kind; throws if it is a plain
  /// file that is not tracked.
  fileprivate func history(of file: FileName) throws(Failure) -> FileName? {
    let document = try documentFile(of: file)
    if document != file { return document }
    guard DocumentFormat(of: file)?.isPlain ?? false, !isDirectory(file) else { return nil }
    let bytes = try readBytes(file, beginning: .document)
    guard !bytes.isEmpty, bytes.beginsLikeText else { return nil }
    let name = shellQuoted(file)
    throw Failure(
      .damaged, file: file,
      "is a plain file without a history; to have one kept from now on: pnmerge track \(name); "
        + "to make a document of it: pnmerge import \(name)")
  }
}
