import Peernote

/// Tells whose the sides of a conflict are: mine is what a file held before it was last merged on
/// this machine, which is kept for `undo`.
struct SideOwners {
  private let file: FileName
  private let id: UniqueID
  private let invocation: Invocation

  /// Looks nothing up yet.
  ///
  /// - Parameters:
  ///   - file: the merged file.
  ///   - id: its document.
  ///   - invocation: the run of the program.
  init(of file: FileName, _ id: UniqueID, _ invocation: Invocation) {
    self.file = file
    self.id = id
    self.invocation = invocation
  }

  /// The sides that the file had before the merge, or all others.
  ///
  /// - Throws: ``Failure`` if no merge of the file is kept on this machine.
  func sides(of conflict: Conflict, areMine: Bool) throws(Failure) -> [Conflict.Side] {
    let old = try beforeMerge()
    return conflict.ownSides.filter { old.contains($0.change) == areMine }
  }

  /// The file as it was before it was last merged on this machine.
  ///
  /// - Throws: ``Failure`` if no merge of the file is kept.
  func beforeMerge() throws(Failure) -> Document {
    let backups = try Backups(of: id, host: invocation.host)
    let target: FileName
    do throws(HostError) {
      target = try invocation.host.resolved(file)
    } catch {
      throw error.whileReading(file)
    }
    let entry = try backups.entries().first { $0.file == target && $0.action == .merge }
    guard let entry else {
      throw Failure(
        .usage, file: file,
        "nothing on this machine tells which side was yours; name a change as 'conflicts' does")
    }
    let kept = backups.file(of: entry)
    return try invocation.parseDocument(invocation.readBytes(kept), from: kept)
  }
}
