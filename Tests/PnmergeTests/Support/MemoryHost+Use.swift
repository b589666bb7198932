import Peernote
import PeernoteJSON
import PnmergeCommands

/// Ours, not that of the testing library.
typealias ExitStatus = PnmergeCommands.ExitStatus

extension MemoryHost {
  /// What one run of the program said and returned.
  struct Run {
    var status: ExitStatus
    var output: String
    var errors: String
  }

  /// Runs the program a second after the last run.
  @discardableResult
  func pnmerge(_ arguments: String...) -> Run { pnmerge(arguments) }

  /// Runs the program with arguments that are text.
  @discardableResult
  func pnmerge(_ arguments: [String]) -> Run { pnmerge(arguments.map { Array($0.utf8) }) }

  /// Runs the program with arguments that need not be text.
  @discardableResult
  func pnmerge(_ arguments: [[UInt8]]) -> Run {
    now = Timestamp(milliseconds: now.milliseconds + 1000)
    output = []
    errors = []
    let status = runPnmerge(arguments: arguments, host: self)
    return Run(
      status: status, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }

  /// A file's bytes in the working directory; `nil` if there is no such file.
  subscript(name: String) -> [UInt8]? {
    get { entries[FileName(name).absolute(from: workingDirectory)]?.bytes }
    set {
      let file = FileName(name).absolute(from: workingDirectory)
      entries[file] = nil
      guard let newValue, let open = try? createExclusively(file) else { return }
      try? write(newValue[...], to: open)
      entries[file]?.mode = 0o644
      close(open)
    }
  }

  /// The same for text.
  func setText(_ name: String, _ text: String) {
    self[name] = Array(text.utf8)
  }

  /// Saves a file as an editor does, and lets some time pass.
  func save(_ name: String, _ text: String) {
    setText(name, text)
    pass()
  }

  /// Lets some time pass.
  func pass(seconds: Int64 = 10) {
    now = Timestamp(milliseconds: now.milliseconds + seconds * 1000)
  }

  /// A file's text; `nil` if there is no such file.
  func text(_ name: String) -> String? {
    self[name].map { String(decoding: $0, as: UTF8.self) }
  }

  /// Copies a file in the working directory.
  func copy(_ name: String, _ copy: String) {
    self[copy] = self[name]
  }

  /// Makes a symbolic link in the working directory.
  func link(_ name: String, to target: String) {
    let entry = Entry(kind: .symbolicLink, mode: 0o777, inode: 7, modified: 0)
    entry.target = FileName(target)
    entries[FileName(name).absolute(from: workingDirectory)] = entry
  }

  /// The names in the working directory, in order.
  var names: [String] {
    entries.keys.filter { $0.directory == workingDirectory }.map(\.lastComponent.visible).sorted()
  }

  /// The note in a file of the working directory.
  func note(_ name: String) throws -> Note? {
    try self[name].flatMap { try Note(root: Document(bytes: $0).root) }
  }

  /// The numbers of the calls that something makes.
  func calls(of body: () throws -> Void) rethrows -> Range<Int> {
    let start = calls.count
    try body()
    return start..<calls.count
  }

  /// Does something that is killed at a call, which frees all locks.
  func kill(at call: Int, _ body: () -> Void) {
    death = call
    body()
    death = nil
    locked = []
  }

  /// Runs of `sh -c EDITOR` edit the file with this function instead.
  func useEditor(status: Int32 = 0, _ edit: @escaping (String) -> String) {
    variables["EDITOR"] = "ed"
    program = { [unowned self] arguments in
      guard let file = arguments.last, let entry = entries[file] else {
        return ProcessResult(status: 127)
      }
      entry.bytes = Array(edit(String(decoding: entry.bytes, as: UTF8.self)).utf8)
      return ProcessResult(status: status)
    }
  }

  /// What 'cat' prints of a place, on one line, and with keys in the order of the format.
  func content(_ file: String, _ path: String) throws -> String {
    let json = try JSONReader.value(in: Array(pnmerge("cat", file, path).output.utf8))
    return String(decoding: try DocumentNode(json, as: .plain).sorted.json.bytes(), as: UTF8.self)
  }
}
