import Peernote
import PeernoteJSON

/// What the merge driver said where perhaps nobody heard it.
///
/// git drops the driver's words where it applies a stash by itself (`--autostash`), and graphical
/// clients and scripts may hide them. So unless they went to a terminal they are kept in the
/// repository's own directory, with the time, until `pnmerge git status` has told them; the hooks
/// tell them, too. The latest ``limit`` are kept.
struct KeptWords {
  /// A sentence, and when it was said.
  struct Entry {
    var time: Timestamp
    var sentence: String
  }

  let host: any Host
  private let file: FileName

  /// How many are kept.
  static let limit = 100
  /// The longest sentence that is kept, in scalars.
  private static let longest = 1000
  /// Everything is cut off beyond this many bytes, which no file of ours has.
  private static let sizeLimit = 4 * limit * longest + limit * 32
  private static let name = "pnmerge-words"

  /// Finds the place; `nil` outside of a repository.
  init?(_ repository: GitRepository) {
    host = repository.host
    guard let directory = try? repository.commonDirectory else { return nil }
    file = directory.appending(Self.name)
  }

  /// What is kept, the earliest first.
  var entries: [Entry] {
    guard let bytes = try? host.read(file, limit: Self.sizeLimit).bytes else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      // "<milliseconds> <sentence>"
      guard let space = line.firstIndex(of: UInt8(ascii: " ")),
        let time = Int64(String(decoding: line[..<space], as: UTF8.self))
      else { return nil }
      return Entry(
        time: Timestamp(milliseconds: time),
        sentence: String(decoding: line[(space + 1)...], as: UTF8.self))
    }
  }

  /// Keeps a sentence.
  ///
  /// What fails here is no reason for anything else to fail.
  func keep(_ sentence: String) {
    let lock = try? host.lock(file, waiting: 1000)
    defer { if let lock { host.unlock(lock) } }
    let visible = String(visibleText(sentence).unicodeScalars.prefix(Self.longest))
    write(entries.suffix(Self.limit - 1) + [Entry(time: host.now, sentence: visible)])
  }

  /// Forgets what has been told.
  func forget(_ told: [Entry]) {
    guard let last = told.last else { return }
    let lock = try? host.lock(file, waiting: 1000)
    defer { if let lock { host.unlock(lock) } }
    let entries = entries
    let place = entries.lastIndex { $0.time == last.time && $0.sentence == last.sentence }
    let rest = entries[(place.map { $0 + 1 } ?? 0)...]
    if rest.isEmpty { try? host.remove(file) } else { write(rest) }
  }

  private func write(_ entries: some Collection<Entry>) {
    let text = entries.map { "\($0.time.milliseconds) \($0.sentence)\n" }.joined()
    host.holdSignals()
    defer { host.releaseSignals() }
    // Words that cannot be kept are not worth a failed merge.
    let temporary = try? TemporaryFile(beside: file, for: file, files: host)
    try? temporary?.replace(file, with: Array(text.utf8), like: nil)
  }
}

extension KeptWords.Entry {
  /// The sentence with its time, for people.
  func line(_ invocation: Invocation) -> String { "\(invocation.localText(time)): \(sentence)" }
}

extension GitRepository {
  /// The directory that all work trees of the repository share.
  fileprivate var commonDirectory: FileName? {
    get throws(Failure) {
      // Where git runs the driver, mostly, which then need not start git.
      let usual = FileName(".git")
      if host.environment("GIT_DIR") == nil, host.environment("GIT_COMMON_DIR") == nil,
        (try? host.identity(of: usual, followingLinks: false))?.kind == .directory
      {
        return usual
      }
      return try name("rev-parse", "--git-common-dir")
    }
  }
}
