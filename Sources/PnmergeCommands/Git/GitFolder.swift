/// What git's index says of the files of a directory.
struct GitFolder {
  /// What it says of a file.
  enum State {
    /// The work tree has just what it holds.
    case held
    case changed
    /// It has several versions, between which somebody has to decide.
    case inConflict
  }

  private let states: [FileName: State]

  /// Asks git once; `nil` outside of its work trees.
  init?(_ directory: FileName, _ host: any Host) {
    guard host.isInsideRepository(directory) else { return nil }
    let result = try? GitRepository(host: host).run(
      ["ls-files", "-z", "-t", "--cached", "--modified", "--deleted"], in: directory)
    guard let result, result.status == 0 else { return nil }
    var states: [FileName: State] = [:]
    for line in result.output.splitAtNUL where line.count > 2 {
      // "H name", and once more, as "C name" or "R name", where the work tree has something else.
      let name = FileName(bytes: line.dropFirst(2))
      switch line[line.startIndex] {
      case UInt8(ascii: "M"): states[name] = .inConflict
      case UInt8(ascii: "H") where states[name] == nil: states[name] = .held
      default: if states[name] != .inConflict { states[name] = .changed }
      }
    }
    self.states = states
  }

  /// What it says of a file, by its name from the directory; `nil` of one that git does not track.
  subscript(name: FileName) -> State? { states[name] }
}
