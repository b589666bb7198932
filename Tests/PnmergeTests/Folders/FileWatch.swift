import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What programs do to files below some directories, as the kernel tells; nothing where it is not
/// Linux.
final class FileWatch {
  #if os(Linux)
    static let isSupported = true
  #else
    static let isSupported = false
  #endif

  private var places: [Int32: String] = [:]
  #if os(Linux)
    private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  #endif

  /// Watches directories and all below them.
  init(_ directories: [URL]) throws {
    #if os(Linux)
      // Directories are opened to list them.
      let events =
        IN_OPEN | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
      for directory in directories {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        for path in [""] + paths {
          let place = directory.appendingPathComponent(path)
          guard try place.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false else {
            continue
          }
          let number = unsafe inotify_add_watch(descriptor, place.path, UInt32(events))
          guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
          places[number] = place.path
        }
      }
    #endif
  }

  deinit {
    #if os(Linux)
      close(descriptor)
    #endif
  }

  /// What was done since the last call: the files that were opened, and those that were written,
  /// made, renamed or removed, directories included.
  func events() -> (opened: [String], changed: [String]) {
    var (opened, changed): ([String], [String]) = ([], [])
    #if os(Linux)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let size = buffer.count
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe read(descriptor, bytes.baseAddress, size)
        }
        guard count > 0 else { break }
        // See inotify(7): a number, what was done, a cookie, the length of the name, the name.
        var rest = buffer[..<count]
        while rest.count >= 16 {
          let fields = (0..<4).map { field in
            (0..<4).reduce(UInt32(0)) {
              $0 | UInt32(rest[rest.startIndex + 4 * field + $1]) << (8 * $1)
            }
          }
          let name = rest.dropFirst(16).prefix(Int(fields[3])).prefix { $0 != 0 }
          let place = places[Int32(bitPattern: fields[0])] ?? ""
          let file = place + "/" + String(decoding: name, as: UTF8.self)
          if fields[1] & UInt32(IN_OPEN) == 0 {
            changed.append(file)
          } else if fields[1] & UInt32(IN_ISDIR) == 0 {
            opened.append(file)
          }
          rest = rest.dropFirst(16 + Int(fields[3]))
        }
      }
    #endif
    return (opened, changed)
  }
}
