import PeernoteFiles
import PnmergeCommands

/// What is told of directories by inotify(7) on Linux. Elsewhere nothing is told, and callers look
/// for themselves after a while.
extension SystemHost {
  func watch(_ directories: [FileName]) throws(HostError) {
    #if os(Linux)
      if watchDescriptor < 0 {
        watchDescriptor = try checked { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
      }
      let descriptor = watchDescriptor
      let events =
        IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF
        | IN_MOVE_SELF | IN_ONLYDIR
      for directory in directories {
        do {
          _ = unsafe try directory.withCString { name throws(HostError) in
            try checked { unsafe inotify_add_watch(descriptor, name, UInt32(events)) }
          }
        } catch {
          // It may be gone by now, which its parent tells.
          if error.kind != .notFound { throw error }
        }
      }
    #endif
  }

  func waitForChange(milliseconds: Int) throws(HostError) -> Bool {
    var request = pollfd(fd: watchDescriptor, events: Int16(POLLIN), revents: 0)
    // Of a negative descriptor nothing is ever told.
    let count = try checked { unsafe poll(&request, 1, Int32(clamping: milliseconds)) }
    guard count > 0 else { return false }
    // What exactly happened is seen by looking at the directories.
    let size = 1 << 16
    var isAtEnd = false
    while !isAtEnd {
      _ = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let read = unsafe systemRead(watchDescriptor, buffer.baseAddress, size)
        isAtEnd = read <= 0
        count = max(0, read)
      }
    }
    return true
  }
}
