import Peernote

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemFiles {
  /// How often a file that changes while it is read is read again.
  private static var readingAttempts: Int { 5 }

  package func read(
    _ file: FileName, limit: Int, beginning: FileBeginning
  ) throws(HostError) -> FileContents {
    for _ in 0..<Self.readingAttempts {
      // Opening a pipe that nobody writes to would wait.
      let descriptor = try open(file, readsPipes ? O_RDONLY : O_RDONLY | O_NONBLOCK)
      defer { systemClose(descriptor) }
      let before = try Self.identity(of: descriptor)
      if before.kind == .other, !readsPipes { throw .notRegularFile }
      // Of a directory no bytes can be read, which the system says.
      let bytes = try Self.readAll(
        descriptor, expected: Int(before.size), limit: limit,
        hasLength: before.kind == .regular, beginning: beginning)
      let after = try Self.identity(of: descriptor)
      if before.kind != .regular || after.hasSameContent(as: before) {
        return FileContents(bytes: bytes, identity: after)
      }
    }
    throw HostError(.busy, "kept changing while it was read; try again")
  }

  package func identity(
    of file: FileName, ifItHolds bytes: [UInt8]
  ) throws(HostError) -> FileIdentity? {
    let descriptor = try open(file, O_RDONLY)
    defer { systemClose(descriptor) }
    let before = try Self.identity(of: descriptor)
    var piece = [UInt8](repeating: 0, count: min(bytes.count + 1, Self.pieceSize))
    var compared = 0
    while true {
      // Of a directory no bytes can be read, which the system says.
      let count = try checked {
        unsafe piece.withUnsafeMutableBytes { room in
          unsafe systemRead(descriptor, room.baseAddress, room.count)
        }
      }
      if count == 0 { break }
      let found = piece.span.extracting(..<count)
      guard bytes.span.extracting(compared...).commonPrefixLength(found) == count else {
        return nil
      }
      compared += count
    }
    let after = try Self.identity(of: descriptor)
    return compared == bytes.count && after.hasSameContent(as: before) ? after : nil
  }

  /// How many bytes are read at once to be compared.
  private static var pieceSize: Int { 1 << 18 }

  /// How many bytes are given up at once where a device fails: what the page cache reads at least.
  private static var blockSize: Int { 4096 }

  package func readAround(_ file: FileName) throws(HostError) -> PartialContents {
    let descriptor = try open(file, O_RDONLY)
    defer { systemClose(descriptor) }
    let identity = try Self.identity(of: descriptor)
    guard identity.kind == .regular else { throw HostError(code: EIO) }
    var contents = PartialContents()
    while contents.bytes.count < Int(identity.size) {
      let start = contents.bytes.count
      let length = min(Int(identity.size) - start, Self.blockSize - start % Self.blockSize)
      do throws(HostError) {
        let piece = unsafe try Self.readPiece(length) {
          unsafe pread(descriptor, $0, length, off_t(start))
        }
        // Somebody made the file shorter.
        if piece.isEmpty { break }
        contents.append(piece)
      } catch {
        guard error.kind == .inputOutput else { throw error }
        contents.skip(length)
      }
    }
    return contents
  }

  /// Reads some bytes by a function of the C library; none at the end.
  private static func readPiece(
    _ length: Int, _ read: (UnsafeMutableRawPointer?) -> Int
  ) throws(HostError) -> [UInt8] {
    var failure: HostError?
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      do throws(HostError) {
        count = try checked { unsafe read(buffer.baseAddress) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return piece
  }

  /// The most bytes read from a pipe or a device, unless they begin as something of use does: such
  /// a source need not have an end.
  private static var endlessLimit: Int { 1 << 26 }

  /// Reads up to the end, or until it is clear that this is nothing of use; throws `tooLarge` if that is
  /// more than there may be, before anything is read if more is `expected`.
  ///
  /// A regular file, or the output of a program that ends, `hasLength`; of anything else there may be
  /// no more than ``endlessLimit`` bytes, unless the `beginning` says that they are of use.
  package static func readAll(
    _ descriptor: Int32, expected: Int = 0, limit: Int, hasLength: Bool,
    beginning: FileBeginning = .any
  ) throws(HostError) -> [UInt8] {
    let hasEnd = hasLength || !beginning.isAny
    let limit = hasEnd ? limit : min(limit, endlessLimit)
    var bytes: [UInt8] = []
    while true {
      if max(expected, bytes.count) > limit {
        throw HostError(
          .tooLarge,
          hasEnd
            ? "file too large"
            : "more than \(limit >> 20) MiB come from a pipe or device; write them to a file first")
      }
      if !beginning.fits(bytes) { return bytes }
      // One more than expected, so that one call meets the end.
      let room = max(expected + 1 - bytes.count, 1 << 16)
      let piece = unsafe try readPiece(room) { unsafe systemRead(descriptor, $0, room) }
      if piece.isEmpty { return bytes }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
  }

  package func identity(
    of file: FileName, followingLinks: Bool
  ) throws(HostError) -> FileIdentity? {
    var status = stat()
    do throws(HostError) {
      _ = unsafe try call(file) { directory, name, noFollow in
        let flag = followingLinks ? noFollow(AT_SYMLINK_NOFOLLOW) : AT_SYMLINK_NOFOLLOW
        return unsafe fstatat(directory, name, &status, flag)
      }
    } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
    return FileIdentity(status)
  }

  package func identities(
    of names: [FileName], in directory: FileName
  ) throws(HostError) -> [FileIdentity?] {
    guard let first = names.first else { return [] }
    // The directory is open for all of them.
    let place = try place(of: directory.appending(first))
    let (open, isConfined) = (place.directory, place.isConfined)
    var identities: [FileIdentity?] = []
    for name in names {
      var status = stat()
      do throws(HostError) {
        _ = try unsafe (isConfined ? name : directory.appending(name)).withCString {
          name throws(HostError) in
          try checked { unsafe fstatat(open, name, &status, AT_SYMLINK_NOFOLLOW) }
        }
        identities.append(FileIdentity(status))
      } catch {
        if error.kind != .notFound { throw error }
        identities.append(nil)
      }
    }
    return identities
  }

  /// The state of an open file.
  package static func identity(of descriptor: Int32) throws(HostError) -> FileIdentity {
    var status = stat()
    try checked { unsafe fstat(descriptor, &status) }
    return FileIdentity(status)
  }

  package func resolved(_ file: FileName) throws(HostError) -> FileName {
    // Below a confined root no link leads elsewhere.
    if let (root, parts) = confinement(of: file) {
      guard try identity(of: file, followingLinks: false) != nil else {
        throw HostError(code: ENOENT)
      }
      return try parts.reduce(resolved(root)) { $0.appending(FileName(bytes: Array($1))) }
    }
    let path = unsafe file.withCString { name in unsafe realpath(name, nil) }
    guard let path = unsafe path else { throw HostError.last }
    defer { unsafe free(path) }
    return unsafe FileName(bytes: systemBytes(of: path))
  }

  package func isWritable(_ file: FileName) -> Bool {
    do throws(HostError) {
      _ = unsafe try call(file) { directory, name, _ in
        unsafe faccessat(directory, name, W_OK, AT_EACCESS)
      }
      return true
    } catch {
      return error.kind != .notPermitted
    }
  }

  package func entries(of directory: FileName) throws(HostError) -> [FileName] {
    let descriptor = try open(directory, O_RDONLY | O_DIRECTORY)
    let stream = unsafe try Self.openDirectory(descriptor)
    defer { unsafe closedir(stream) }
    var names: [FileName] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno == EINTR { continue }
        if errno != 0 { throw HostError.last }
        return names
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
          unsafe systemBytes(of: characters)
        }
      }
      if name != Array(".".utf8) && name != Array("..".utf8) { names.append(FileName(bytes: name)) }
    }
  }

  /// fdopendir(3), again after an interruption.
  private static func openDirectory(_ descriptor: Int32) throws(HostError) -> OpaquePointer {
    while true {
      if let stream = unsafe fdopendir(descriptor) { return unsafe stream }
      if errno == EINTR { continue }
      let error = HostError.last
      systemClose(descriptor)
      throw error
    }
  }

  /// Opens a file that child processes do not inherit.
  package func open(
    _ file: FileName, _ flags: Int32, mode: UInt32 = 0
  ) throws(HostError) -> Int32 {
    unsafe try call(file) { directory, name, noFollow in
      unsafe systemOpen(directory, name, flags | O_CLOEXEC | noFollow(O_NOFOLLOW), mode_t(mode))
    }
  }
}

extension FileIdentity {
  fileprivate init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      kind: kind, device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino), size: Int64(status.st_size),
      modified: modified.nanoseconds, changed: changed.nanoseconds,
      mode: UInt32(status.st_mode & 0o7777), owner: UInt32(status.st_uid),
      group: UInt32(status.st_gid), linkCount: Int(status.st_nlink))
  }

  /// Whether the file's content did not change in between, as far as its times and size tell.
  fileprivate func hasSameContent(as other: FileIdentity) -> Bool {
    size == other.size && modified == other.modified
  }
}
