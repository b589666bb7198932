import Peernote

/// What this machine keeps of tracked plain files, in `$XDG_STATE_HOME/peernote/tracked`.
///
/// One file for each, named by a digest of the plain file's absolute name. It may be lost: then
/// less is known of what a text that was seen before stands for, and nothing is lost.
struct PlainFileStates {
  private let host: any Host
  private let directory: FileName?

  init(_ host: any Host) {
    self.host = host
    directory = (try? StateDirectory.name(host))?.appending("tracked")
  }

  private func name(_ file: FileName) -> FileName? {
    directory?.appending("\(AgentID(digestOf: file.bytes)).cbor")
  }

  /// What is kept of a file; `nil` if that is nothing.
  func state(of file: FileName) -> PlainFileState? {
    guard let name = name(file),
      let contents = try? host.read(name, limit: Invocation.inputLimit)
    else { return nil }
    return PlainFileState(encoded: contents.bytes)
  }

  /// The history that is kept of a file, if that beside the file is gone or damaged; `nil` if there
  /// is none, or the file is another one by now.
  func keptHistory(of file: FileName, _ contents: PlainContents) -> PlainHistory? {
    guard let state = state(of: file), state.history.document.deletion == nil,
      contents.share(of: state.history, remembered: state.memory?.text) != nil
    else { return nil }
    return state.history
  }

  /// Keeps a state.
  func keep(_ state: PlainFileState, of file: FileName) throws {
    guard let name = name(file) else { return }
    try keep(state.bytes(), in: name)
  }

  private func keep(_ bytes: [UInt8], in name: FileName) throws {
    try name.creating(host.makeDirectories(name.directory))
    let replacement = Replacement(ofState: name, host: host)
    _ = try replacement { _ in Replacement.Proposal(bytes: bytes, report: ()) }
  }

  /// Keeps that a file which was just written, or read, shows the present version of its history.
  func keepShown(_ history: PlainHistory, at file: FileName) throws {
    try keep(PlainFileState(history: history, memory: PlainMemory(showing: history)), of: file)
  }

  /// Lets a plain file follow its history, which was put back to an earlier state.
  func follow(_ history: PlainHistory, at name: FileName) throws {
    guard let file = name.plainFile.flatMap({ try? host.resolved($0) }),
      let state = state(of: file), state.history.document.id == history.document.id
    else { return }
    try keep(state.following(history), of: file)
  }

  /// What is kept of the file whose history is in a document; `nil` if it is none, or nothing is kept.
  func state(of document: Document, from history: FileName) -> PlainFileState? {
    guard let name = history.plainFile, let file = try? host.resolved(name),
      let state = state(of: file), state.history.document.id == document.id
    else { return nil }
    return state
  }

  /// Where it is kept which file had a name before it was renamed.
  private func formerName(_ file: FileName) -> FileName? {
    name(file).map { FileName(bytes: $0.bytes + Array(".renamed".utf8)) }
  }

  /// The history of the file that had a name and was renamed last; `nil` if that is not known.
  func renamed(from file: FileName) -> UniqueID? {
    formerName(file).flatMap { try? host.read($0, limit: Invocation.inputLimit) }
      .flatMap { UniqueID(String(decoding: $0.bytes, as: UTF8.self)) }
  }

  /// Keeps under a new name what is kept of the file with a history, unless another one has its name by
  /// now; and under the old name which file that was, for conflict copies of it.
  func move(_ file: FileName, to new: FileName, of id: UniqueID) {
    if let name = formerName(file) { try? keep(Array(id.description.utf8), in: name) }
    guard state(of: file)?.history.document.id == id, let from = name(file), let to = name(new)
    else { return }
    try? host.rename(from, to: to, replacing: true)
  }

  /// Keeps nothing of a file any more.
  func forget(_ file: FileName) {
    if let name = name(file) { try? host.remove(name) }
  }
}
