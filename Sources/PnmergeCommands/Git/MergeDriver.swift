import Peernote

/// `pnmerge git driver`: merges two versions of a file for git.
///
/// git reads the result from the file that held the current version, and from the status 0 or 1
/// whether it is clean (gitattributes(5), "Defining a custom merge driver"). So the result is
/// written last and in one step, once it was read back; whatever fails, the current version stays
/// there and the status is 1. Standard output belongs to git.
struct MergeDriver {
  /// The files that hold the versions, `%O`, `%A` and `%B`.
  var ancestor: FileName
  var current: FileName
  var incoming: FileName
  /// The length of conflict markers, `%L`, which tells how deep inside a merge of ancestors we are.
  var markerSize: Int
  /// Where the file stands in the repository, `%P`.
  var path: FileName
  /// What git calls the versions, `%S`, `%X` and `%Y`, or these placeholders if it does not know
  /// them; none if git was set up not to tell.
  var labels: [FileName]
  /// Whether what is contested is left to a person: git then says that the file is in conflict.
  var isStrict = false

  /// The length of conflict markers in the merge that a person sees.
  private static let usualMarkerSize = 7

  /// Merges and says so if there is something to say.
  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    do throws(Failure) {
      if invocation.host.environment("PNMERGE") == Array("0".utf8) {
        throw Failure(.different, "not merged, since PNMERGE is 0; the current version stays")
      }
      let merge = try merge(invocation.host)
      let isLeft = !isInner && (merge.isLeft || isStrict && merge.isContested)
      if !isInner, let sentence = merge.sentence {
        let advice = "; \(merge.advice), or 'git mergetool --tool=peernote'"
        say(isLeft ? sentence + advice : sentence, invocation)
      }
      return isLeft ? .different : .done
    } catch {
      say(error.message, invocation)
      return .different
    }
  }

  private func say(_ sentence: String, _ invocation: Invocation) {
    try? invocation.console.printError("pnmerge: \(path.visible): \(sentence)")
  }

  /// Merges, and writes what comes of it.
  private func merge(_ host: any Host) throws(Failure) -> GitMerge {
    let old = try read(current, host)
    let merge = try GitMerge(
      ancestor: read(ancestor, host).bytes, current: old.bytes,
      incoming: read(incoming, host).bytes, path: path,
      isMerge: { () throws(Failure) in try occasion(host).isMergeOfBranches() })
    let bytes = try merge.verifiedBytes(path)
    if bytes != old.bytes { try write(bytes, over: old, host) }
    return merge
  }

  /// What can be known of the occasion; asks git, so only where it matters.
  private func occasion(_ host: any Host) throws(Failure) -> GitOccasion {
    let repository = GitRepository(host: host)
    var occasion = GitOccasion(
      repository: repository, path: path, incoming: try repository.object(incoming))
    if labels.count == 3 {
      occasion.labels = MergeLabels(ancestor: labels[0], current: labels[1], incoming: labels[2])
      occasion.hasNoLabels = occasion.labels == nil
    }
    if isInner { occasion.isMerge = try !repository.hasMarkerSize(path) }
    return occasion
  }

  /// Whether this is a merge of ancestors, whose markers are longer, unless they always are here.
  private var isInner: Bool { markerSize > Self.usualMarkerSize }

  private func read(_ file: FileName, _ host: any Host) throws(Failure) -> FileContents {
    do throws(HostError) {
      return try host.read(file, limit: Invocation.inputLimit)
    } catch {
      throw Failure(.different, "cannot read \(file.visible): \(error.explanation)")
    }
  }

  /// Puts the result in the current version's place.
  ///
  /// git reads it right away, so that it need not reach the disk.
  private func write(
    _ bytes: [UInt8], over old: FileContents, _ host: any Host
  ) throws(Failure) {
    host.holdSignals()
    defer { host.releaseSignals() }
    do throws(FileError) {
      let temporary = try TemporaryFile(beside: current, for: current, files: host)
      try temporary.replace(current, with: bytes, like: old.identity)
    } catch {
      throw Failure(error)
    }
  }
}
