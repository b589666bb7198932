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
  /// Where the file stands in the repository, `%P`; for messages only.
  var path: FileName

  /// The length of conflict markers in the merge that a person sees.
  private static let usualMarkerSize = 7

  /// Merges and says so if there is something to say.
  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    do throws(Failure) {
      if invocation.host.environment("PNMERGE") == Array("0".utf8) {
        throw Failure(.different, "not merged, since PNMERGE is 0; the current version stays")
      }
      let outcome = try merge(invocation.host)
      if markerSize <= Self.usualMarkerSize, let sentence = outcome.sentence {
        try? invocation.console.note("pnmerge: \(path.visible): \(sentence)")
      }
      return .done
    } catch {
      try? invocation.console.note("pnmerge: \(path.visible): \(error.message)")
      return .different
    }
  }

  private func merge(_ host: any Host) throws(Failure) -> ThreeWayMerge.Outcome {
    let old = try read(current, host)
    let merge = ThreeWayMerge { () throws(Failure) in
      // git names the branches that it merges in variables, and commits that it picks not.
      if !host.environmentNames(beginningWith: "GITHEAD_").isEmpty { return true }
      return try GitRepository(host: host).currentBranchHad(contentOf: ancestor, at: path)
    }
    let outcome = try merge(
      ancestor: read(ancestor, host).bytes, current: old.bytes, incoming: read(incoming, host).bytes
    )
    let bytes = try outcome.verifiedBytes(path)
    if bytes != old.bytes { try write(bytes, over: old, host) }
    return outcome
  }

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
    let temporary = try TemporaryFile(beside: current, for: current, host: host)
    do throws(Failure) {
      try temporary.fill(with: bytes, like: old.identity, isDurable: false)
      _ = try temporary.take(name: current, replacing: true)
    } catch {
      temporary.discard()
      throw error
    }
  }
}

extension ThreeWayMerge.Outcome {
  /// The document's bytes, once they were read back.
  func verifiedBytes(_ file: FileName) throws(Failure) -> [UInt8] {
    let bytes = document.encoded()
    try document.state.check(bytes, file)
    return bytes
  }

  /// Places named before the rest is only hinted at.
  private static let namedPlaces = 3

  private var places: String {
    let names = conflicts.prefix(Self.namedPlaces).map(\.place).joined(separator: ", ")
    return conflicts.count > Self.namedPlaces ? names + ", …" : names
  }

  /// What a person should know of the merge; `nil` if it is nothing but an ordinary merge.
  var sentence: String? {
    var parts: [String] = []
    if undone > 0 { parts.append("\(counted(undone, "change")) taken back") }
    if broughtAlong > 0 {
      parts.append("\(counted(broughtAlong, "earlier change")) came along that this branch lacked")
    }
    if let words = conflictWords(conflicts) { parts.append("\(words) (\(places))") }
    parts += remarks
    return parts.isEmpty ? nil : "merged; " + parts.joined(separator: "; ")
  }
}
