/// A file beside another that is to take its name once it is complete.
///
/// Its name follows from the target's, so that a later run finds and clears what a killed one
/// left, without a look at the whole directory. Where that name is in use by a living process,
/// which happens only where the file system knows no locks, a random one is taken.
struct TemporaryFile {
  private let host: any Host
  private let name: FileName
  private let open: OpenFile
  /// The file as the user named it, for messages.
  private let file: FileName

  /// Bytes written between two looks at pending signals.
  private static let pieceSize = 1 << 20

  /// Creates the file.
  init(beside target: FileName, for file: FileName, host: any Host) throws(Failure) {
    self.host = host
    self.file = file
    do throws(HostError) {
      let usual = Self.name(beside: target)
      if host.removeAbandoned(usual), let open = try Self.create(usual, host) {
        (self.open, name) = (open, usual)
        return
      }
      let random = Self.name(beside: target, tag: String(host.randomBits(), radix: 36))
      (open, name) = (try host.createExclusively(random), random)
    } catch {
      throw error.whileCreating(file)
    }
  }

  /// The name of the file beside `target`: `.NAME.pnmerge`.
  static func name(beside target: FileName, tag: String = "") -> FileName {
    let suffix = Array(".pnmerge\(tag)".utf8)
    let stem = target.lastComponent.bytes.prefix(FileName.longestComponent - suffix.count - 1)
    return target.directory.appending(FileName(bytes: [UInt8(ascii: ".")] + stem + suffix))
  }

  private static func create(_ name: FileName, _ host: any Host) throws(HostError) -> OpenFile? {
    do throws(HostError) {
      return try host.createExclusively(name)
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
  /// A file that is not durable need not outlive a power cut, since another program reads it right
  /// away and then removes it.
  func fill(
    with bytes: [UInt8], like identity: FileIdentity?, isExecutable: Bool = false,
    isDurable: Bool = true
  ) throws(Failure) {
    do throws(HostError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        if host.isInterrupted { throw HostError(.interrupted, "interrupted") }
        try host.write(Array(rest.prefix(Self.pieceSize)), to: open)
        rest = rest.dropFirst(Self.pieceSize)
      }
      if let identity {
        try host.setAttributes(of: open, like: identity)
      } else {
        try host.setAttributesOfNewFile(open)
      }
      if isExecutable { try host.makeExecutable(open) }
      if isDurable { try host.synchronize(open) }
    } catch {
      throw error.whileWriting(file)
    }
  }

  /// Gives the file the name it was made for, and closes it.
  ///
  /// - Returns: false if not `replacing` and another file has that name by now.
  func take(name target: FileName, replacing: Bool) throws(Failure) -> Bool {
    do throws(HostError) {
      try host.rename(name, to: target, replacing: replacing)
    } catch {
      if error.kind == .alreadyExists, !replacing { return false }
      throw error.whileWriting(file)
    }
    host.close(open)
    return true
  }

  /// Closes and removes the file.
  func discard() {
    host.close(open)
    try? host.remove(name)
  }
}
