/// Where this machine keeps what does not belong into documents: `$XDG_STATE_HOME/peernote`.
enum StateDirectory {
  /// The directory's name; it need not exist.
  static func name(_ host: any Host) throws(Failure) -> FileName {
    // Only absolute names count (XDG Base Directory Specification).
    if let state = host.environment("XDG_STATE_HOME"), state.first == UInt8(ascii: "/") {
      return FileName(bytes: state).appending("peernote")
    }
    guard let home = host.homeDirectory else {
      throw Failure(.cannotCreate, "there is neither XDG_STATE_HOME nor a home directory")
    }
    return home.appending(".local").appending("state").appending("peernote")
  }
}

extension Host {
  /// Creates a directory and those above it, as far as they are missing.
  func makeDirectories(_ directory: FileName) throws(HostError) {
    var missing: [FileName] = []
    var next = directory
    while try identity(of: next, followingLinks: true) == nil {
      missing.append(next)
      next = next.directory
    }
    for directory in missing.reversed() {
      do throws(HostError) {
        try makeDirectory(directory)
      } catch {
        if error.kind != .alreadyExists { throw error }
      }
    }
  }
}
