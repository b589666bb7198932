import Peernote
import PeernoteJSON

/// A text in the user's editor, in a private directory, which is removed at the end unless it holds
/// what somebody typed and that could not be used.
struct DraftEditing<Content> {
  var file: FileName
  /// What the name of the text ends in, such as `.md`, so that the editor knows its language.
  var suffix: String
  var invocation: Invocation
  /// The command that takes a text which was corrected, whose name follows; `nil` if there is none.
  var retry: String?
  /// What is run instead of the editor; `nil` for that.
  var command: [UInt8]?
  /// What a text stands for; throws a failure whose message names the place of a fault.
  var parse: (String) throws(Failure) -> Content

  /// The machine, also in a dry run: the editor is no part of the trial.
  private var host: any Host { (invocation.host as? TrialHost)?.real ?? invocation.host }

  /// The longest name of a text in bytes, which leaves room for what editors add to it.
  private static var longestStem: Int { 200 }

  /// Opens a text and passes on what it was made into.
  func callAsFunction(_ original: String, _ use: (Content) throws -> Void) throws {
    let editor = try command ?? editorCommand()
    let text = Array(original.utf8)
    let directory = try makeDirectory()
    let stem = file.stem.bytes.prefix(Self.longestStem)
    let draft = directory.appending(FileName(bytes: stem + Array(suffix.utf8)))
    do {
      try write(text, to: draft)
    } catch {
      remove(directory)
      throw error
    }
    do {
      repeat {
        try run(editor, on: draft)
      } while try needsCorrection(draft)
      try use(try read(draft))
    } catch {
      guard let kept = typed(in: directory, draft, from: text) else {
        remove(directory)
        throw error
      }
      guard var failure = error as? Failure else { throw error }
      failure.message += "; your text is kept in \(kept.visible)"
      if kept == draft, failure.status == .usage, let retry {
        failure.message += "; correct it there, and then: \(retry) \(shellQuoted(kept))"
      }
      throw failure
    }
    remove(directory)
  }

  // MARK: Steps

  /// What to run, as a shell command.
  private func editorCommand() throws(Failure) -> [UInt8] {
    for name in ["VISUAL", "EDITOR"] {
      if let value = host.environment(name), !value.isEmpty { return value }
    }
    guard host.isTerminal(.input) else {
      throw Failure(
        .usage, file: file, "no editor: set $VISUAL or $EDITOR, or use options such as --title")
    }
    return Array("vi".utf8)
  }

  private func makeDirectory() throws(Failure) -> FileName {
    let variable = host.environment("TMPDIR") ?? []
    let parent = variable.isEmpty ? FileName("/tmp") : FileName(bytes: variable)
    let directory = parent.absolute(from: host.workingDirectory)
      .appending("pnmerge-\(String(host.randomBits(), radix: 36))")
    do {
      try host.makeDirectory(directory)
      return directory
    } catch {
      throw error.whileCreating(directory)
    }
  }

  private func write(_ text: [UInt8], to draft: FileName) throws(Failure) {
    do throws(HostError) {
      let open = try host.createExclusively(draft)
      defer { host.close(open) }
      try host.write(text[...], to: open)
    } catch {
      throw Failure(error.error(while: .writing, draft))
    }
  }

  /// Runs the editor; its command may hold arguments of its own.
  private func run(_ editor: [UInt8], on draft: FileName) throws {
    try invocation.console.flush()
    let script = FileName(bytes: editor + Array(" \"$@\"".utf8))
    let arguments = [FileName("sh"), FileName("-c"), script, FileName(bytes: editor), draft]
    let (name, variables) = command == nil ? ("editor", "VISUAL or EDITOR") : ("pager", "PAGER")
    let status: Int32
    do throws(HostError) {
      status = try host.run(arguments, input: nil).status
    } catch {
      throw Failure(.ioError, file: file, "cannot run the \(name): \(error.explanation)")
    }
    if status == 0 { return }
    let what =
      status == 127
      ? "\(visibleText(of: editor)) cannot be run; set \(variables)" : "ended with status \(status)"
    throw file.failure(
      status == 130 ? .interrupted : .ioError, "the \(name) \(what); nothing was written")
  }

  /// Whether the text cannot be understood, and the user, asked at the terminal, wants to correct
  /// it.
  private func needsCorrection(_ draft: FileName) throws -> Bool {
    guard host.isTerminal(.input), host.isTerminal(.error) else { return false }
    do {
      _ = try read(draft)
      return false
    } catch {
      try invocation.console.printError(error.line)
      return try invocation.ask("Edit again? [Y/n] ").map {
        $0.isEmpty || $0.lowercased().hasPrefix("y")
      } ?? false
    }
  }

  /// What may hold something that somebody typed: the draft, or what else the editor left, such as
  /// a copy to recover from; `nil` if nothing does.
  private func typed(
    in directory: FileName, _ draft: FileName, from text: [UInt8]
  ) -> FileName? {
    let names: [FileName]
    do throws(HostError) {
      names = try host.entries(of: directory)
    } catch {
      return error.kind == .notFound ? nil : directory
    }
    let now = try? host.read(draft, limit: Invocation.inputLimit).bytes
    if names.contains(draft.lastComponent), now != text { return draft }
    return names.contains { $0 != draft.lastComponent } ? directory : nil
  }

  /// Reads the edited text.
  private func read(_ draft: FileName) throws(Failure) -> Content {
    let bytes = try draft.reading(host.read(draft, limit: Invocation.inputLimit).bytes)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw file.refusal("the edited text is not UTF-8")
    }
    do { return try parse(text) } catch { throw file.refusal(error.message) }
  }

  /// Removes the directory with what the editor left in it.
  private func remove(_ directory: FileName) {
    for name in (try? host.entries(of: directory)) ?? [] {
      try? host.remove(directory.appending(name))
    }
    try? host.removeDirectory(directory)
  }
}
