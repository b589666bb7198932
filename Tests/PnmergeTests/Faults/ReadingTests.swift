import Foundation
import Testing

/// Files that other programs overwrite in place while they are read.
@Suite("Reading a file that changes", .enabled(if: DisturbedProgram.isSupported))
struct ReadingTests {
  private let trial: SaveTrial
  /// The call that meets the end of the copy's first reading.
  private let end: Int
  /// What the copy might hold instead: something longer, and something of the same size.
  private let longer: Data
  private let twin: Data

  init() throws {
    trial = try SaveTrial(.merge)
    let readings = trial.calls.indices.filter { [calls = trial.calls] in calls[$0] == "read" }
    try #require(readings.count > 2)
    end = readings[1]
    try trial.before.restore(below: trial.program.tree)
    let made = try trial.program.sh(
      """
      cp a twin && cp a long && pnmerge edit twin -q --tag t --body-file body
      (cat body body) | pnmerge edit long -q --tag long --body-file -
      """)
    try #require(made.status == 0, "\(made.errors)")
    longer = try Data(contentsOf: trial.program.work.appendingPathComponent("long"))
    twin = try Data(contentsOf: trial.program.work.appendingPathComponent("twin"))
    let size = trial.before.files["work/b"]?.count
    try #require(twin.count == size && longer.count > twin.count)
  }

  private func merge(while intrusion: @escaping (String) -> Void) throws -> String {
    let copy = trial.program.work.appendingPathComponent("b").path
    let run = try trial.run(.intrude { intrusion(copy) }, at: end)
    #expect(run.status == 0, "\(run.output)")
    return try trial.program.sh("pnmerge cat a").output
  }

  /// Overwrites a file in place, without another modification time if that is asked for.
  private static func overwrite(_ file: String, with bytes: Data, keepingTime: Bool = false) {
    // The clock of a file system may tick a few hundred times a second only.
    usleep(20_000)
    let descriptor = unsafe open(file, O_WRONLY)
    var status = stat()
    _ = unsafe fstat(descriptor, &status)
    _ = unsafe bytes.withUnsafeBytes { buffer in
      unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, 0)
    }
    if keepingTime { _ = unsafe futimens(descriptor, [status.st_atim, status.st_mtim]) }
    close(descriptor)
  }

  @Test("a copy that grows while it is read is read again", arguments: [false, true])
  func growing(keepingTime: Bool) throws {
    let said = try merge { [longer] copy in
      Self.overwrite(copy, with: longer, keepingTime: keepingTime)
    }
    #expect(said.contains("  - long\n"), "\(said)")
  }

  @Test("a copy that is overwritten by one of the same size while it is read is read again")
  func sameSize() throws {
    let said = try merge { [twin] copy in Self.overwrite(copy, with: twin) }
    #expect(said.contains("  - t\n"), "\(said)")
  }
}
