import CSystemCallFaults
import Foundation
import PeernoteTestSupport

/// The built program, run below a directory of its own with a fault at one of its system calls.
final class DisturbedProgram {
  /// What happens at a system call.
  enum Fault {
    case kill
    /// Half of what was to be written is written; then the program is killed.
    case tear
    case fail(Int32)
    /// The call fails, and so do all later ones of its kind.
    case keepFailing(Int32)
    /// Half of what was to be written is, or 16 bytes at most are read.
    case shorten
    case signal(Int32)
    /// Another program does something just before the call, which may also fail.
    case intrude(() -> Void, failing: Int32 = 0)
    /// The same at each later call of its kind; says what the call fails with, 0 for nothing.
    case keepIntruding(() -> Int32)
  }

  /// What one run said, and which calls it made.
  struct Run {
    var status: Int32
    var output: String
    /// The calls by name, beginning with the first that names a file of ours.
    var calls: [String]
    var hasHappened: Bool
  }

  /// Faults cannot be made here: not Linux, or ptrace(2) is forbidden.
  struct Unsupported: Error {}

  let directory: URL
  private let program = try? Program()

  init() throws {
    guard let program else { throw Unsupported() }
    directory = program.directory
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("tree/work"), withIntermediateDirectories: true)
  }

  /// The directory that holds everything the program touches.
  var tree: URL { directory.appendingPathComponent("tree") }
  /// Where the program starts.
  var work: URL { tree.appendingPathComponent("work") }

  /// Whether faults can be made here.
  static let isSupported: Bool = {
    guard let program = try? DisturbedProgram() else { return false }
    return (try? program.run(["--version"], from: "none"))?.status == 0
  }()

  private var environment: [String] {
    [
      "PATH=/usr/bin:/bin", "HOME=\(tree.path)", "TMPDIR=\(tree.path)", "PNMERGE_AUTHOR=me",
      "TZ=UTC", "LC_ALL=C.UTF-8", "SOURCE_DATE_EPOCH=1800000000",
      // Where Swift's runtime prints backtraces it takes SIGQUIT for a crash.
      "SWIFT_BACKTRACE=enable=no",
    ] + Sanitizer.environment
  }

  /// Runs the program; calls count from the first that is given the file name `start`.
  func run(_ arguments: [String], from start: String, _ fault: Fault? = nil, at number: Int = -1)
    throws -> Run
  {
    let output = directory.appendingPathComponent("output")
    var intrusion: () -> Int32 = { 0 }
    var plan = unsafe fault_(fault, number, &intrusion)
    var outcome = fault_outcome()
    let status = unsafe withStrings([Program.path] + arguments) { arguments in
      unsafe withStrings(environment) { environment in
        unsafe work.path.withCString { work in
          unsafe output.path.withCString { output in
            unsafe start.withCString { start in
              unsafe withUnsafeMutablePointer(to: &intrusion) { intrusion in
                unsafe plan.start = start
                unsafe plan.context = UnsafeMutableRawPointer(intrusion)
                var program = unsafe fault_program(
                  arguments: arguments, environment: environment, directory: work, output: output)
                return unsafe fault_run(&program, &plan, &outcome)
              }
            }
          }
        }
      }
    }
    guard status == 0 else { throw Unsupported() }
    return Run(
      status: outcome.status,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      calls: names(&outcome), hasHappened: outcome.happened != 0)
  }

  private func fault_(
    _ fault: Fault?, _ number: Int, _ intrusion: inout () -> Int32
  ) -> CSystemCallFaults.fault {
    var plan = unsafe CSystemCallFaults.fault()
    unsafe plan.number = number
    switch fault {
    case nil: unsafe plan.action = FAULT_NONE
    case .kill: unsafe plan.action = FAULT_KILL
    case .tear: unsafe plan.action = FAULT_TEAR
    case .fail(let error): unsafe (plan.action, plan.value) = (FAULT_FAIL, error)
    case .keepFailing(let error): unsafe (plan.action, plan.value) = (FAULT_KEEP_FAILING, error)
    case .shorten: unsafe plan.action = FAULT_SHORTEN
    case .signal(let signal): unsafe (plan.action, plan.value) = (FAULT_SIGNAL, signal)
    case .intrude(let body, let error):
      intrusion = {
        body()
        return error
      }
      unsafe plan.action = FAULT_INTRUDE
    case .keepIntruding(let body):
      intrusion = body
      unsafe plan.action = FAULT_KEEP_INTRUDING
    }
    unsafe plan.intrusion = { context in
      unsafe context?.assumingMemoryBound(to: (() -> Int32).self).pointee() ?? 0
    }
    return unsafe plan
  }

  private func names(_ outcome: inout fault_outcome) -> [String] {
    let count = min(outcome.count, Int(FAULT_CALLS))
    return unsafe withUnsafeBytes(of: &outcome.names) { bytes in
      let pointers = unsafe bytes.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
      return unsafe pointers.prefix(count).map { name in
        unsafe name.map { unsafe String(cString: $0) } ?? ""
      }
    }
  }

  /// Calls `body` with texts as a vector for execve(2).
  private func withStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    let vector = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe vector.forEach { unsafe free($0) } }
    return unsafe vector.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
  }

  /// Runs a script in the working directory with the same surroundings.
  @discardableResult
  func sh(_ script: String) throws -> Program.Run {
    guard let program else { throw Unsupported() }
    let exports = environment.map { variable in
      let parts = variable.split(separator: "=", maxSplits: 1)
      return "export \(parts[0])='\(parts.count > 1 ? parts[1] : "")'"
    }
    return try program.sh((exports + ["cd tree/work", script]).joined(separator: "\n"))
  }
}
