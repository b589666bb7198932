/// A file beside another that is to take its name once it is complete.
///
/// Its name follows from the target's, so that a later run finds and clears what a killed one
/// left, without a look at the whole directory. Where that name is in use by a living process,
/// which happens only where the file system knows no locks, a random one is taken.
package struct TemporaryFile {
  private let files: any FileSystem
  private let name: FileName
  private let open: OpenFile
  /// The file as the user named it, for messages.
  private let file: FileName

  /// Bytes written between two looks at pending signals.
  private static let pieceSize = 1 << 20

  /// Creates the file.
  package init(beside target: FileName, for file: FileName, files: any FileSystem) throws(FileError)
  {
    self.files = files
    self.file = file
    do throws(HostError) {
      let usual = Self.name(beside: target)
      if files.removeAbandoned(usual), let open = try Self.create(usual, files) {
        (self.open, name) = (open, usual)
        return
      }
      let random = Self.name(beside: target, tag: String(files.randomBits(), radix: 36))
      (open, name) = (try files.createExclusively(random), random)
    } catch {
      throw error.error(while: .creating, file)
    }
  }

  /// The name of the file beside `target`: `.NAME.pnmerge`.
  package static func name(beside target: FileName, tag: String = "") -> FileName {
    let suffix = Array(".pnmerge\(tag)".utf8)
    let stem = target.lastComponent.bytes.prefix(FileName.longestComponent - suffix.count - 1)
    return target.directory.appending(FileName(bytes: [UInt8(ascii: ".")] + stem + suffix))
  }

  private static func create(
    _ name: FileName, _ files: any FileSystem
  ) throws(HostError) -> OpenFile? {
    do throws(HostError) {
      return try files.createExclusively(name)
    } catch {
      if error.kind == .alreadyExists { return nil }
      throw error
    }
  }

  /// Writes the content and waits until it is on the disk.
  ///
  /// The file is private until it holds everything, and then gets the permissions of the file
  /// whose place it takes.
  ///
  /// A new file stays private if `isPrivate`. A file that is not durable need not outlive a power cut,
  /// since another program reads it right away and then removes it.
  package func fill(
    with bytes: [UInt8], like identity: FileIdentity?, modeLimit: UInt32 = 0o777,
    isPrivate: Bool = false, isDurable: Bool = true
  ) throws(FileError) {
    do throws(HostError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        if files.isInterrupted { throw HostError(.interrupted, "interrupted") }
        try files.write(rest.prefix(Self.pieceSize), to: open)
        rest = rest.dropFirst(Self.pieceSize)
      }
      if identity != nil || !isPrivate {
        try files.setAttributes(of: open, like: identity, modeLimit: modeLimit)
      }
      if isDurable { try files.synchronize(open) }
    } catch {
      throw error.error(while: .writing, file)
    }
  }

  /// Gives the file the name it was made for, and closes it; false if not `replacing` and another
  /// file has that name by now.
  package func take(name target: FileName, replacing: Bool) throws(FileError) -> Bool {
    do throws(HostError) {
      try files.rename(name, to: target, replacing: replacing)
    } catch {
      if error.kind == .alreadyExists, !replacing { return false }
      throw error.error(while: .writing, file)
    }
    files.close(open)
    return true
  }

  /// Gives the file the name of one that was looked at before, closes it, and removes that one.
  ///
  /// The two exchange their names, so that what had the name can be looked at after; if that is
  /// another file by then, or was written to, it gets its name back. So what other programs save
  /// between a look and a renaming is not lost. Where the file system cannot exchange names, the
  /// file is renamed, and what was saved in that moment is gone.
  ///
  /// False if the other file was not what had been looked at any more.
  package func take(name target: FileName, of old: FileIdentity) throws(FileError) -> Bool {
    let isDone: Bool?
    do throws(HostError) {
      isDone = try exchange(with: target, old)
    } catch {
      // The other file is gone.
      if error.kind == .notFound { return false }
      throw error.error(while: .writing, file)
    }
    guard let isDone else { return try take(name: target, replacing: true) }
    guard isDone else { return false }
    files.close(open)
    // Once more if it fails: what is left is cleared when the same file is written again, and some
    // files never are.
    if (try? files.remove(name)) == nil { try? files.remove(name) }
    return true
  }

  /// Exchanges names with a file, and again if that is another one than it was, which is false;
  /// `nil` if names cannot be exchanged.
  private func exchange(
    with target: FileName, _ old: FileIdentity
  ) throws(HostError) -> Bool? {
    let own = try files.identity(of: name, followingLinks: false)
    guard try files.exchange(name, with: target) else { return nil }
    let displaced = try? files.identity(of: name, followingLinks: false)
    guard let displaced, !displaced.isSameState(as: old) else { return true }
    _ = try files.exchange(name, with: target)
    let back = try files.identity(of: name, followingLinks: false)
    if let own, let back, !back.isSameFile(as: own) { try keepAside(target) }
    return false
  }

  /// Puts what somebody saved while names were exchanged beside the file, as a conflict copy.
  private func keepAside(_ target: FileName) throws(HostError) {
    for number in 1...99 {
      let copy = FileName(bytes: target.bytes + Array(".conflict\(number)".utf8))
      do throws(HostError) {
        return try files.rename(name, to: copy, replacing: false)
      } catch {
        if error.kind != .alreadyExists { throw error }
      }
    }
    throw HostError(.busy, "keeps changing; what was saved last is in \(name.visible)")
  }

  /// Fills the file and gives it the name, or discards it.
  ///
  /// For content that need not outlive a power cut.
  package func replace(
    _ target: FileName, with bytes: [UInt8], like identity: FileIdentity?
  ) throws(FileError) {
    do throws(FileError) {
      try fill(with: bytes, like: identity, isDurable: false)
      _ = try take(name: target, replacing: true)
    } catch {
      discard()
      throw error
    }
  }

  /// Closes and removes the file.
  package func discard() {
    files.close(open)
    try? files.remove(name)
  }
}
