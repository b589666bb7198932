import PeernoteCBOR

/// All that is found wrong in a file: as many faults as its parts allow to find, where opening it
/// stops at the first.
///
/// What a fault makes meaningless is not looked at: operations without their graph, a view without
/// its log. O(n log n) and the walks over the history, at most ``replayLimit``.
package struct FileCheck {
  /// What is wrong, in the order in which it was found: envelope, log, view, history.
  package private(set) var faults: [DocumentError] = []

  /// How often a history is replayed to find the next text that is at fault.
  private static let replayLimit = 8
  /// The most faults of one kind that are listed.
  private static let listLimit = 1000

  private let bytes: [UInt8]
  private let limits: Limits

  /// Whether nothing is wrong as far as it could be checked: limits may stand in the way of
  /// replaying all of its history; it can be read, edited and merged all the same.
  package var isWhole: Bool {
    faults.isEmpty
      || faults.allSatisfy { $0.kind == .limit }
        && (try? DocumentFile(bytes, limits: limits)) != nil
  }

  /// Checks a file; `quick` stops before the history is replayed.
  package init(_ bytes: [UInt8], quick: Bool = false, limits: Limits = Limits()) {
    self.bytes = bytes
    self.limits = limits
    do throws(DocumentError) {
      var checksumFault: DocumentError?
      let envelope = try Envelope(bytes, limits: limits, checksumFault: &checksumFault)
      if let checksumFault { faults.append(checksumFault) }
      guard let read = LogReader.check(envelope, limits: limits, &faults) else { return }
      try check(read.log, read.layout, envelope, quick: quick)
    } catch {
      faults.append(error)
    }
  }

  /// Notes what is wrong, and throws what makes the rest meaningless.
  private mutating func check(
    _ log: Log, _ layout: LogLayout, _ envelope: Envelope, quick: Bool
  ) throws(DocumentError) {
    let critical = CriticalVersions(of: log.graph)
    for fault in log.faults(critical: critical).prefix(Self.listLimit) {
      faults.append(DocumentError(fault, in: log, layout: layout))
    }
    let objects: Objects
    do throws(DocumentError) {
      objects = try Objects(of: log, at: layout)
    } catch {
      // One operation is often at fault in both ways.
      if faults.contains(error) { return }
      throw error
    }
    var viewFaults: [DocumentError] = []
    let view = ViewReader.check(envelope, of: objects, &viewFaults)
    faults += viewFaults.prefix(Self.listLimit)
    guard var view else { return }
    let passages: [ContainerIndex: [TextPassage]]
    (view.texts, passages) = try PassageSection.read(envelope, of: log, shown: view.texts)
    if quick { return }
    let memory = memoryLeft(beside: objects, texts: view.texts)
    let file = DocumentFile(
      id: envelope.id, objects: objects, texts: view.texts, passages: passages,
      unknownSections: envelope.unknownSections)
    do throws(HistoryError) {
      if try !HistoryCheck.isSound(
        log, critical: critical, texts: view.texts, memoryLimit: memory)
      {
        replay(log, layout, view, memoryLimit: memory)
      }
      guard faults.isEmpty else { return }
      checkPassages(of: file, memoryLimit: memory)
      guard faults.isEmpty else { return }
      // It is written as a whole, and its largest column by itself before.
      guard 2 * bytes.count <= memory else { throw HistoryError(.tooMuchMemory) }
    } catch {
      throw DocumentError(error, in: log, layout: layout)
    }
    checkForm(file, checksum: envelope.checksum)
  }

  private mutating func checkPassages(of file: DocumentFile, memoryLimit: Int) {
    do throws(HistoryError) {
      if let fault = try file.passageFault(memoryLimit: memoryLimit) { faults.append(fault) }
    } catch {
      faults.append(DocumentError(error, in: file.log, section: .passages))
    }
  }

  /// How many more bytes checking the file may take; what is there already is estimated.
  private func memoryLeft(beside objects: Objects, texts: [TextBuffer]) -> Int {
    let log = objects.log
    let places = log.graph.chains.count * MemoryLayout<LogLayout.Mark>.stride
    return log.limits.memoryLeft(
      for: bytes.count,
      beside: bytes.count + log.byteCount + objects.byteCount + places + texts.byteCount)
  }

  /// Finds what is wrong with the texts: replays them, and replays again without those at fault, to
  /// find others that are.
  private mutating func replay(
    _ log: Log, _ layout: LogLayout, _ view: (texts: [TextBuffer], offsets: [Int32]),
    memoryLimit: Int
  ) {
    var skipped: Set<ContainerIndex> = []
    for _ in 0..<Self.replayLimit {
      do throws(HistoryError) {
        let replay = try Replay(log, without: skipped, memoryLimit: memoryLimit)
        for container in replay.lengthFaults(texts: view.texts) where !skipped.contains(container) {
          skipped.insert(container)
          guard faults.count < Self.listLimit else { break }
          faults.append(
            DocumentError(
              "a text is not as long as its history makes it", in: .view,
              at: Int(view.offsets[container]),
              change: log.changeID(of: log.containers[container].created)))
        }
        try replay.checkDeletions()
        return
      } catch {
        faults.append(DocumentError(error, in: log, layout: layout))
        // The rest would take as much.
        if error.reason.isLimit { return }
        guard let event = error.event, event.isEvent, event < log.graph.end else { return }
        let operation = log.operations[log.operationIndex(endingAfter: event)]
        guard skipped.insert(operation.container).inserted else { return }
      }
    }
  }

  /// Checks that what was read would be written as the same bytes, up to the checksum.
  private mutating func checkForm(_ file: DocumentFile, checksum: Range<Int>) {
    let again = file.encodedWithoutChecksum()
    let count = checksum.lowerBound
    let offset = again.span.commonPrefixLength(bytes.span.extracting(..<count))
    if offset == again.count, offset == count { return }
    faults.append(
      DocumentError(
        "the same content would be written differently", in: .envelope, at: offset))
  }
}

extension DocumentFile {
  /// How the passages are not those that the history makes; `nil` if they are; a walk over the
  /// history of texts that were edited concurrently.
  func passageFault(memoryLimit: Int) throws(HistoryError) -> DocumentError? {
    let made = try log.passages(raw: texts, critical: objects.critical, memoryLimit: memoryLimit)
    guard
      let container = Set(made.keys).union(passages.keys).sorted()
        .first(where: { made[$0] != passages[$0] })
    else { return nil }
    let (right, told) = (made[container] ?? [], passages[container] ?? [])
    let count = zip(right, told).prefix { $0 == $1 }.count
    let place = [right, told].compactMap { $0.dropFirst(count).first?.raw.lowerBound }.min() ?? 0
    let reason =
      passages.isEmpty
      ? "the history makes passages and the file has none, as in files from before there were any"
      : "the passages of container \(container.rawValue) are not those that the history makes, from "
        + "scalar \(place) of its raw text on"
    return DocumentError(reason, in: .passages)
  }
}
