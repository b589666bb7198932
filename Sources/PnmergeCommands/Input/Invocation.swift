import AutomergeFormat
import Peernote
import PeernoteJSON

/// One run of the program: the machine it runs on and what it says.
package struct Invocation {
  package let host: any Host
  package let console: Console

  package init(host: any Host) {
    self.init(host, Console(host: host))
  }

  private init(_ host: any Host, _ console: Console) {
    (self.host, self.console) = (host, console)
  }

  /// This run, or for a dry run the same on a machine on which nothing is kept that is written.
  func onTrial(if isDryRun: Bool) -> Invocation {
    isDryRun ? Invocation(TrialHost(over: host), console) : self
  }

  /// Whether nothing is kept that is written.
  var isTrial: Bool { host is TrialHost }

  /// The most bytes read from one file, stream or program: what a document may have.
  package static let inputLimit = FileReplacement.sizeLimit

  /// Takes over what the options say.
  func configure(_ verbosity: Verbosity) {
    console.isQuiet = verbosity.quiet
    console.isVerbose = verbosity.verbose
    console.color = verbosity.color
  }
}

extension Invocation {
  /// Waits so long, or until the user interrupts that, which throws.
  func pause(milliseconds: Int64) throws(Failure) {
    var rest = milliseconds
    while rest > 0 {
      do throws(HostError) {
        _ = try host.waitForChange(milliseconds: Int(min(rest, 500)))
      } catch {
        throw Failure(.interrupted, "interrupted")
      }
      rest -= 500
    }
  }

  /// Asks at the terminal; gives the line without blanks at its ends, `nil` if the input ended or
  /// somebody broke off.
  func ask(_ prompt: String) throws -> String? {
    try console.flush()
    func show() { try? host.write(Array(prompt.utf8), to: .error) }
    show()
    var line: [UInt8]?
    do throws(HostError) {
      line = try host.readLineFromTerminal(whenResumed: show)
    } catch {
      guard error.kind == .interrupted else { throw error.whileReading(FileName("-")) }
    }
    guard let line else {
      try console.printError("")
      return nil
    }
    let blanks = Set("\r\t ".utf8)
    let start = line.firstIndex { !blanks.contains($0) } ?? line.endIndex
    let end = line.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? start
    return String(decoding: line[start..<end], as: UTF8.self)
  }
}

// MARK: - Reading documents

extension Invocation {
  /// Reads a file, or standard input for `-`; of one without an end that is no document only the
  /// start.
  func readDocumentBytes(_ file: FileName) throws(Failure) -> [UInt8] {
    try readBytes(file, beginning: .readable)
  }

  /// Reads a file, or standard input for `-`.
  func readBytes(_ file: FileName, beginning: FileBeginning = .any) throws(Failure) -> [UInt8] {
    console.step("reading \(file.inputName)")
    return try file.reading(
      file.isStandardStream
        ? host.readStandardInput(limit: Self.inputLimit, beginning: beginning)
        : host.read(file, limit: Self.inputLimit, beginning: beginning).bytes)
  }

  /// Reads a file; `nil` if there is none.
  func bytesIfPresent(_ file: FileName) throws(Failure) -> [UInt8]? {
    try file.reading(host.identity(of: file, followingLinks: true)) == nil ? nil : readBytes(file)
  }

  /// Reads a text file, or standard input for `-`, as UTF-8.
  func readText(_ file: FileName) throws(Failure) -> String {
    if isDirectory(file) { throw Failure(.unreadable, file: file, "is a directory, not a file") }
    return try text(readBytes(file), of: file)
  }

  /// Takes bytes of a file for a text.
  func text(_ bytes: [UInt8], of file: FileName) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let sound = bytes.prefix(bytes.soundUTF8Count)
      let line = sound.count { $0 == UInt8(ascii: "\n") } + 1
      let start = sound.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      throw Failure(
        .unreadable, file: file,
        "is not UTF-8 text (line \(line), byte \(sound.count - start + 1)); iconv(1) converts others"
      )
    }
    return text
  }

  /// Reads a whole document; faster beside another copy of it.
  func readDocument(_ file: FileName, beside other: Document? = nil) throws(Failure) -> Document {
    try parseDocument(readDocumentBytes(file), from: file, beside: other)
  }

  /// Takes bytes of `file` for a document; faster beside another copy of it.
  func parseDocument(
    _ bytes: [UInt8], from file: FileName, beside other: Document? = nil
  ) throws(Failure) -> Document {
    console.step("reading \(file.inputName)")
    return try parsing(file, bytes, Document(bytes: bytes, beside: other))
  }

  /// Runs a reader of `bytes`, and words its errors by what else the bytes can be.
  func parsing<Result>(
    _ file: FileName, _ bytes: [UInt8], _ read: @autoclosure () throws(DocumentError) -> Result
  ) throws(Failure) -> Result {
    do {
      return try read()
    } catch {
      if bytes.isEmpty {
        throw file.failure(.damaged, "is empty, not a peernote document; take another copy of it")
      }
      if AutomergeFile.begins(bytes) {
        throw Failure(
          .damaged, file: file,
          "is an Automerge document, which this command does not take; to make a peernote document "
            + "of it: pnmerge import \(shellQuoted(file))")
      }
      guard error.kind == .damaged, let hint = damageHint(for: file, holding: bytes) else {
        throw error.failure(in: file)
      }
      guard bytes.beginsLikeText else {
        throw Failure(.damaged, file: file, "\(error.description); \(hint)")
      }
      guard kind(of: file.history) == nil else {
        throw Failure(
          .damaged, file: file,
          "is a tracked text file, for any editor; the document is its history: "
            + shellQuoted(file.history))
      }
      throw file.failure(.damaged, "is text, not a peernote document; \(hint)")
    }
  }

  /// Refuses more than one `-` among the files to read.
  func checkStandardInput(_ files: [FileName]) throws(Failure) {
    if files.count(where: \.isStandardStream) > 1 {
      throw Failure(.usage, "only one file can be standard input")
    }
  }
}

extension DocumentError {
  /// The failure to report when `file` holds no usable document.
  func failure(in file: FileName) -> Failure {
    let hint = kind == .newerFormat ? "; it needs a newer pnmerge" : ""
    return Failure(kind.status, file: file, description + hint)
  }
}

/// What to do about a file that is no sound document: a damaged one, or text; `nil` if its bytes are
/// those of something else, or came from a stream.
func damageHint(for file: FileName, holding bytes: [UInt8]) -> String? {
  if file.isStandardStream || bytes.isEmpty { return nil }
  if DocumentHeads.isDocument(bytes) {
    return "to save what is intact: pnmerge repair \(shellQuoted(file)) -o NEW-FILE"
  }
  return bytes.beginsLikeText ? importHint(for: file) : nil
}

/// How a document is made of a text file.
func importHint(for file: FileName) -> String {
  "to make a document of it: pnmerge import \(shellQuoted(file))"
}

extension [UInt8] {
  /// How many bytes at the beginning are UTF-8.
  fileprivate var soundUTF8Count: Int {
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = makeIterator()
    var count = 0
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) { count += scalar.count }
    return count
  }

  /// Whether the first bytes are those of a text file; so they are if there are none.
  var beginsLikeText: Bool {
    // A character may be cut at the end.
    let starts = (0...3).lazy.map { prefix(1024).dropLast($0) }
    guard let text = starts.compactMap({ String(validating: $0, as: UTF8.self) }).first else {
      return false
    }
    return !text.unicodeScalars.contains {
      $0.properties.generalCategory == .control && !"\t\n\r\u{C}".unicodeScalars.contains($0)
    }
  }
}

extension DocumentError.Kind {
  /// The exit status for it.
  var status: ExitStatus {
    switch self {
    case .damaged, .limit, .noSuchVersion: .damaged
    case .newerFormat: .newerFormat
    }
  }
}

// MARK: - Naming documents

extension UniqueID {
  /// Its first four digits, for people.
  var shortText: String { description.prefix(4) + "…" }
}

/// The title and identity of a document, for a sentence: `("Retro", 91c0…)`.
func titleAndID(_ id: UniqueID, _ root: DocumentNode) -> String {
  root.title.map { "(\(quoted($0)), \(id.shortText))" } ?? "(\(id.shortText))"
}

extension FileBeginning {
  /// That of a document, or of an Automerge document.
  static let readable = FileBeginning { bytes in
    FileBeginning.document.fits(bytes) || AutomergeFile.begins(bytes)
  }
}
