import Foundation
import Testing

/// Directories whose system calls fail or are interrupted while they are read.
@Suite("Reading a directory", .enabled(if: DisturbedProgram.isSupported))
struct DirectoryTests {
  private let program: DisturbedProgram
  /// What is said where nothing happens, and which calls were made.
  private let quiet: DisturbedProgram.Run

  private static let search = ["find", "T", "folder"]

  init() throws {
    program = try DisturbedProgram()
    let made = try program.sh(
      """
      mkdir folder folder/inner
      for name in a b inner/c; do pnmerge new folder/$name.peernote --title T -q; done
      """)
    try #require(made.status == 0, "\(made.errors)")
    quiet = try program.run(Self.search, from: "folder")
    try #require(quiet.status == 0 && quiet.output.split(separator: "\n").count == 3)
  }

  private func numbers(of call: String) -> [Int] {
    quiet.calls.indices.filter { quiet.calls[$0] == call }
  }

  @Test("an interruption changes nothing", arguments: ["open", "getdents", "stat"])
  func interruption(call: String) throws {
    try #require(numbers(of: call).count >= 2)
    for number in numbers(of: call) {
      let run = try program.run(Self.search, from: "folder", .fail(EINTR), at: number)
      #expect(run.hasHappened)
      #expect(run.status == 0 && run.output == quiet.output, "call \(number): \(run.output)")
    }
  }

  @Test(
    "a directory that cannot be read to its end is named, and the others are searched",
    arguments: [EIO, ENOMEM])
  func failure(error: Int32) throws {
    let numbers = numbers(of: "getdents")
    try #require(numbers.count >= 4)
    let reason = error == EIO ? "input/output error" : "cannot allocate memory"
    for number in numbers {
      let run = try program.run(Self.search, from: "folder", .fail(error), at: number)
      #expect(run.hasHappened && run.status == 66)
      let lines = run.output.split(separator: "\n")
      let isInner = lines.first == "pnmerge: folder/inner: cannot list: \(reason)"
      #expect(
        isInner || lines.first == "pnmerge: folder: cannot list: \(reason)",
        "call \(number): \(run.output)")
      let elsewhere = quiet.output.split(separator: "\n")
        .filter { isInner && !$0.hasPrefix("folder/inner") }
      #expect(Array(lines.dropFirst()) == elsewhere, "call \(number): \(run.output)")
    }
  }
}
