import ArgumentParser
import Peernote

/// Options that leave notes out of a list.
struct NoteFilter: ParsableArguments {
  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: .of("text", "Only notes with this tag; repeated, with all."))
  var tags: [TextArgument] = []

  @Option(help: .of("priority", "Only notes of this priority."), transform: parsePriority)
  var priority: Note.Priority?

  @Option(
    help: .of("time", "Only notes changed since a day or time."),
    transform: TimeArgument.init(parsing:))
  var since: TimeArgument?

  /// Whether any of them is given.
  var isGiven: Bool { !tags.isEmpty || priority != nil || since != nil }

  /// The notes of folders and files that are not left out, after what failed was said.
  func notes(
    in files: [FileName], _ invocation: Invocation
  ) throws -> (status: ExitStatus, notes: [ListedNote]) {
    let (status, folders) = try invocation.forEachFile(FoundFiles(files: files)) { file in
      let (notes, faults) = try invocation.notes(in: file)
      return (notes, try invocation.say(faults))
    }
    let since = since?.time(on: invocation.host)
    let notes = folders.flatMap(\.0).filter { note in
      let summary = note.summary
      return tags.allSatisfy { summary.tags.contains($0.text) }
        && priority.map { $0.rawValue == summary.priority } ?? true
        && since.map { $0 <= summary.changed } ?? true
    }
    return (folders.map(\.1).reduce(status, max), notes)
  }
}

/// A time, or the beginning of a day.
struct TimeArgument {
  /// Of a day as if local time were UTC.
  private let named: Timestamp
  private let isDay: Bool

  init(parsing argument: String) throws {
    isDay = argument.utf8.count == 10
    guard let named = Timestamp(iso8601: isDay ? argument + "T00:00:00Z" : argument) else {
      throw ValidationError(
        "There is no such day or time; give a day, such as 2026-11-20, or a time, such as "
          + "2026-11-20T14:02:11Z.")
    }
    self.named = named
  }

  /// The time, where a day begins when it does on this machine.
  func time(on host: any Host) -> Timestamp {
    let offset = isDay ? Int64(host.secondsFromUTC(at: named)) * 1000 : 0
    return Timestamp(milliseconds: named.milliseconds - offset)
  }
}

/// A note as lists show it, and its file as people are told of it.
struct ListedNote {
  var file: FileName
  var summary: DocumentSummary
}

extension Invocation {
  /// The notes that an argument stands for, and what of a directory could not be read: a document, a
  /// tracked plain file, or all of both in a directory, in the order of their names.
  func notes(in file: FileName) throws -> (notes: [ListedNote], faults: [Failure]) {
    guard isDirectory(file) else {
      return ([ListedNote(file: file, summary: try summary(of: file))], [])
    }
    let folder = try OpenFolder(file, self)
    folder.save()
    if let words = folder.automergeWords { try console.printError(words) }
    let documents = folder.livePaths.compactMap { path in
      folder.documents[path].map { (path, $0) }
    }
    let notes = (documents + folder.trackedFiles).sorted { $0.0 < $1.0 }
      .map { ListedNote(file: folder.shownFile($0), summary: $1) }
    return (notes, folder.faults)
  }

  /// What lists show of a file.
  private func summary(of file: FileName) throws -> DocumentSummary {
    let document = try documentFile(of: file)
    return try summary(
      of: document, readDocumentBytes(document), isHistory: document != file)
  }

  /// What lists show of a document, or of the history of a tracked file.
  func summary(
    of file: FileName, _ bytes: [UInt8], isHistory: Bool
  ) throws -> DocumentSummary {
    do {
      return try isHistory ? HistoryFile(bytes).summary : DocumentSummary(bytes: bytes)
    } catch let error as DocumentError {
      // The bytes tell what to do next.
      return try parsing(file, bytes, Result.failure(error).get())
    } catch let failure as Failure {
      throw Failure(failure.status, file: file, failure.message)
    }
  }
}
