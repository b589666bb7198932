import CRenaming

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemFiles {
  package func createExclusively(_ file: FileName) throws(HostError) -> OpenFile {
    let descriptor = try open(file, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    do throws(HostError) {
      // The lock says that we live. Before it is taken another process may have found the file
      // without an owner and removed it; then the name is not ours.
      let isOurs = try Self.tryLock(descriptor) != .taken
      guard isOurs, try Self.identity(of: descriptor).linkCount > 0 else {
        systemClose(descriptor)
        throw HostError(code: EEXIST)
      }
      return OpenFile(number: descriptor)
    } catch {
      if error.kind != .alreadyExists {
        systemClose(descriptor)
        try? remove(file)
      }
      throw error
    }
  }

  package func removeAbandoned(_ file: FileName) -> Bool {
    do throws(HostError) {
      let descriptor: Int32
      do throws(HostError) {
        descriptor = try open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      } catch {
        return error.kind == .notFound
      }
      defer { systemClose(descriptor) }
      // With a second name it holds nothing of its own: see `renameExclusively`. Else it must have
      // lost its owner; without working locks nothing tells a living one from a dead one.
      let own = try Self.identity(of: descriptor)
      if own.linkCount == 1, try Self.tryLock(descriptor) != .free { return false }
      let entry = try identity(of: file, followingLinks: false)
      guard entry?.isSameFile(as: own) ?? true else { return false }
      guard entry != nil else { return true }
      try remove(file)
      return true
    } catch {
      return false
    }
  }

  package func write(_ bytes: ArraySlice<UInt8>, to file: OpenFile) throws(HostError) {
    try Self.writeAll(bytes, to: file.number)
  }

  /// Writes everything, in as many calls as it takes.
  package static func writeAll(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) throws(HostError) {
    var position = 0
    while position < bytes.count {
      let start = position
      position += try checked {
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe systemWrite(
            descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
        }
      }
    }
  }

  package func setAttributes(
    of file: OpenFile, like identity: FileIdentity?, modeLimit: UInt32
  ) throws(HostError) {
    guard let identity else {
      let mask = umask(0o077)
      _ = umask(mask)
      return try setMode(0o666 & ~mask & mode_t(modeLimit), of: file)
    }
    let own = try Self.identity(of: file.number)
    var mode = identity.mode & modeLimit
    if own.owner != identity.owner, fchown(file.number, identity.owner, gid_t.max) != 0 {
      // Only root may give files away; elsewhere the file becomes ours, as with an editor.
    }
    if own.group != identity.group, fchown(file.number, uid_t.max, identity.group) != 0 {
      mode = mode & 0o707 | (mode & 0o007) << 3 & mode
    }
    guard own.mode != mode else { return }
    do {
      try setMode(mode_t(mode), of: file)
    } catch {
      if try Self.identity(of: file.number).mode != identity.mode & modeLimit { throw error }
    }
  }

  /// Sets a file's permissions, as far as its file system has any: others, such as those of memory
  /// sticks, refuse to, or have no such call.
  private func setMode(_ mode: mode_t, of file: OpenFile) throws(HostError) {
    do {
      try checked { fchmod(file.number, mode) }
    } catch {
      if error.kind != .notPermitted, errno != ENOSYS { throw error }
    }
  }

  package func synchronize(_ file: OpenFile) throws(HostError) {
    #if canImport(Darwin)
      // fsync(2) does not reach the disk's own memory there.
      if fcntl(file.number, F_FULLFSYNC) == 0 { return }
    #endif
    try checked { fsync(file.number) }
  }

  package func close(_ file: OpenFile) {
    systemClose(file.number)
  }

  package func rename(_ file: FileName, to target: FileName, replacing: Bool) throws(HostError) {
    if replacing {
      unsafe try call(file, target) { unsafe renameat($0, $1, $2, $3) }
      return
    }
    #if canImport(Darwin)
      unsafe try call(file, target) { unsafe renameatx_np($0, $1, $2, $3, UInt32(RENAME_EXCL)) }
    #else
      try renameExclusively(file, to: target)
    #endif
  }

  package func exchange(_ first: FileName, with second: FileName) throws(HostError) -> Bool {
    do {
      unsafe try call(first, second) { unsafe pn_exchange($0, $1, $2, $3) }
      return true
    } catch {
      // A system or file system that does not know this call, or not this way of it.
      if [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) { return false }
      throw error
    }
  }

  /// Renames by way of a second name, which all systems and most file systems know.
  private func renameExclusively(_ file: FileName, to target: FileName) throws(HostError) {
    do {
      unsafe try call(file, target) { unsafe linkat($0, $1, $2, $3, 0) }
    } catch {
      if error.kind == .alreadyExists { throw error }
      // A file system without hard links, such as that of a memory stick. Between the look and
      // the renaming another process could create the file.
      if try identity(of: target, followingLinks: false) != nil { throw HostError(code: EEXIST) }
      unsafe try call(file, target) { unsafe renameat($0, $1, $2, $3) }
      return
    }
    // Another process may have found the first name useless and removed it already.
    try? remove(file)
  }

  package func touch(_ file: FileName) throws(HostError) {
    _ = unsafe try call(file) { directory, name, noFollow in
      unsafe utimensat(directory, name, nil, noFollow(AT_SYMLINK_NOFOLLOW))
    }
  }

  package func synchronizeDirectory(_ directory: FileName) throws(HostError) {
    let descriptor = try open(directory, O_RDONLY | O_DIRECTORY)
    defer { systemClose(descriptor) }
    do {
      try checked { fsync(descriptor) }
    } catch {
      // Some file systems cannot synchronize directories and need not.
      if errno != EINVAL { throw error }
    }
  }

  package func remove(_ file: FileName) throws(HostError) {
    _ = unsafe try call(file) { directory, name, _ in unsafe unlinkat(directory, name, 0) }
  }

  package func makeDirectory(_ directory: FileName, isPrivate: Bool) throws(HostError) {
    _ = unsafe try call(directory) { above, name, _ in
      unsafe mkdirat(above, name, isPrivate ? 0o700 : 0o777)
    }
  }

  package func removeDirectory(_ directory: FileName) throws(HostError) {
    _ = unsafe try call(directory) { above, name, _ in unsafe unlinkat(above, name, AT_REMOVEDIR) }
  }
}
