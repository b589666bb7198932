import Peernote
import PeernoteFiles
import PnmergeCommands

// All files of the program see it.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Darwin)
  @_exported import Darwin
#endif

/// The machine that the program runs on.
final class SystemHost: Host, SystemFiles {
  var heldSignals = HeldSignals()
  var confinedRoots: [FileName] = []
  let readsPipes = true
  /// What tells of changes in watched directories; -1 for none.
  var watchDescriptor: Int32 = -1

  /// Takes over the process: writing to a closed pipe, or beyond the largest size that a file may
  /// have, becomes an error instead of a signal.
  init() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    Self.occupyStandardStreams()
  }

  /// What follows the program's name, as bytes; `nil` if nobody can tell: on Linux, Swift finds it
  /// in /proc.
  static var arguments: [[UInt8]]? {
    if CommandLine.argc == 0 { return nil }
    return (1..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe systemBytes(of: $0) }
    }
  }

  /// Ends the process.
  static func exit(with status: ExitStatus) -> Never {
    systemExit(status.rawValue)
  }

  // MARK: Clock

  func secondsFromUTC(at time: Timestamp) -> Int {
    var seconds = time_t(time.milliseconds / 1000)
    var local = unsafe tm()
    guard unsafe localtime_r(&seconds, &local) != nil else { return 0 }
    return unsafe Int(local.tm_gmtoff)
  }

  // MARK: Surroundings

  func environment(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe systemBytes(of: value)
  }

  func environmentNames(beginningWith prefix: String) -> [String] {
    var names: [String] = []
    var entry = unsafe environ
    while let pointer = unsafe entry.pointee {
      let text = unsafe systemBytes(of: pointer)
      if text.starts(with: prefix.utf8) {
        names.append(String(decoding: text.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self))
      }
      unsafe entry += 1
    }
    return names
  }

  var executable: FileName? {
    #if canImport(Darwin)
      var size = UInt32(PATH_MAX)
      var name = [CChar](repeating: 0, count: Int(size))
      guard unsafe _NSGetExecutablePath(&name, &size) == 0 else { return nil }
      let file = unsafe FileName(bytes: systemBytes(of: name))
      return try? resolved(file)
    #else
      return try? resolved(FileName("/proc/self/exe"))
    #endif
  }

  var loginName: String {
    if let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name {
      return unsafe String(cString: name)
    }
    return environment("LOGNAME").map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  var homeDirectory: FileName? {
    if let home = environment("HOME"), home.first == UInt8(ascii: "/") {
      return FileName(bytes: home)
    }
    guard let entry = unsafe getpwuid(geteuid()), let home = unsafe entry.pointee.pw_dir else {
      return nil
    }
    return unsafe FileName(bytes: systemBytes(of: home))
  }

  var workingDirectory: FileName {
    guard let pointer = unsafe getcwd(nil, 0) else { return FileName("/") }
    defer { unsafe free(pointer) }
    return unsafe FileName(bytes: systemBytes(of: pointer))
  }
}
