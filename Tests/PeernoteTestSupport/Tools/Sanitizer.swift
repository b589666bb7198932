import Foundation

/// The sanitizer that the tests and the program were built with.
package enum Sanitizer: String, Sendable {
  case address
  case thread

  /// The one at work in this process; `nil` if there is none.
  package static let current: Sanitizer? = {
    #if os(Linux)
      let process = unsafe dlopen(nil, RTLD_NOW)
      if unsafe dlsym(process, "__asan_init") != nil { return .address }
      if unsafe dlsym(process, "__tsan_init") != nil { return .thread }
    #endif
    return nil
  }()

  /// The variables that tell sanitizers what to do, for processes with an environment of their own.
  package static let environment: [String] = {
    let variables = ProcessInfo.processInfo.environment
    return ["ASAN_OPTIONS", "TSAN_OPTIONS"].compactMap { name in
      variables[name].map { "\(name)=\($0)" }
    }
  }()
}
