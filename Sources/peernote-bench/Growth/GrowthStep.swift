import ArgumentParser
import Foundation
import Peernote

/// Does one kind of work on one history, in a process of its own, so that nothing that was done
/// before shows in its memory.
struct GrowthStep: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth-step", abstract: "One measurement of 'growth'.", shouldDisplay: false)

  @Argument var work: GrowthWork
  @Argument var shape: GrowthShape
  @Argument var events: Int
  @Argument var folder: String

  /// What the process says on standard output.
  struct Answer: Codable {
    var work = GrowthReport.Work()
    /// How many the whole history has; after building only.
    var events: Int?
  }

  /// Short work is repeated for so long, and so often at most.
  private static let patience = Duration.milliseconds(400)
  private static let repetitions = 31

  func run() throws {
    var answer = Answer()
    try warmUp()
    do {
      answer.events = try perform(&answer.work)
    } catch let error as DocumentError where error.kind == .limit {
      answer.work.refusal = "\(error)"
    } catch let error as MergeError {
      guard case .damaged(let fault) = error, fault.kind == .limit else { throw error }
      answer.work.refusal = "\(fault)"
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(answer))
  }

  /// Does everything once on a short history, so that no code is loaded while memory is measured.
  private func warmUp() throws {
    let history = GrowthHistory(shape, events: 2000)
    let bytes = try Self.document(history.changes).bytes()
    var document = try Self.document(history.ourChanges)
    let report = try document.merge(Self.document(history.theirChanges))
    let root = try DocumentReader(bytes: bytes).root
    guard document.bytes() == bytes, document.root == root, Document.validate(bytes: bytes) == []
    else { throw ValidationError("\(shape.rawValue): the merge differs") }
    withExtendedLifetime(report) {}
  }

  private func perform(_ result: inout GrowthReport.Work) throws -> Int? {
    switch work {
    case .build:
      return try build(&result)
    case .read:
      let bytes = try file("all")
      try measure(&result) { try Document(bytes: bytes).eventCount }
    case .open:
      let bytes = try file("all")
      try measure(&result) { try DocumentReader(bytes: bytes).root }
    case .merge:
      let ours = try Document(bytes: file("ours"))
      let theirs = try Document(bytes: file("theirs"), beside: ours)
      let merged = try measure(&result) {
        var document = ours
        let report = try document.merge(theirs)
        return (document, report)
      }
      guard try merged.0.bytes() == file("all") else {
        throw ValidationError("\(shape.rawValue): the merge differs")
      }
    case .write:
      let document = try Document(bytes: file("all"))
      try measure(&result) { document.bytes() }
    case .validate:
      let bytes = try file("all")
      let findings = try measure(&result) { Document.validate(bytes: bytes) }
      if let finding = findings.first {
        result = GrowthReport.Work(refusal: "\(finding)")
      }
    }
    return nil
  }

  /// Builds the documents of the whole history and of its two copies, and writes them; returns how
  /// many events there are.
  private func build(_ result: inout GrowthReport.Work) throws -> Int {
    let history = GrowthHistory(shape, events: events)
    let document = try measure(&result) { try Self.document(history.changes) }
    try write(document.bytes(), "all")
    try write(try Self.document(history.ourChanges).bytes(), "ours")
    try write(try Self.document(history.theirChanges).bytes(), "theirs")
    return document.eventCount
  }

  private static func document(_ changes: [Change]) throws -> Document {
    try Document(id: GrowthHistory.id, changes: changes, recoveringDeletedText: true)
  }

  /// Times some work, and notes the memory that it takes the first time.
  @discardableResult
  private func measure<Result>(
    _ result: inout GrowthReport.Work, _ body: () throws -> Result
  ) throws -> Result {
    ProcessMemory.resetPeak()
    let before = ProcessMemory.resident
    var samples = Samples()
    let start = ContinuousClock.now
    var last = try samples.measure("") { try body() }
    if let before, let peak = ProcessMemory.peak { result.peakBytes = max(0, peak - before) }
    var count = 1
    while count < Self.repetitions, ContinuousClock.now - start < Self.patience {
      last = try samples.measure("") { try body() }
      count += 1
    }
    result.seconds = samples.medians[0].milliseconds / 1e3
    return last
  }

  private func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: folder).appending(path: "\(name).peernote")))
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(filePath: folder).appending(path: "\(name).peernote"))
  }
}
