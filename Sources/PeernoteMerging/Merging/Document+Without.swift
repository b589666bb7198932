public import PeernoteEngine

extension Document {
  /// Reads a file and leaves the changes of some agents out, with all that follow them.
  ///
  /// The way out where a copy with changes that should not be there has got into a group: forged
  /// ones that use up what a document may hold, or those of an agent that was used twice. A file is
  /// read for this that holds more events or changes than one of its length may.
  ///
  /// What such a change deleted is back, what it wrote is gone. Everyone in the group has to leave
  /// them out, or they come back with the next merge.
  ///
  /// O(n log n), and two walks over the whole history.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - agents: whose changes are left out.
  /// - Throws: ``DocumentError`` if the file cannot be read, its history takes more than the limits,
  ///   or what is left needs text that was redacted because of one of the changes left out.
  public init(bytes: [UInt8], without agents: Set<AgentID>) throws(DocumentError) {
    var leftOut: Set<ChangeID> = []
    try self.init(bytes: bytes, without: agents, leavingOut: &leftOut)
  }

  /// The same, telling which changes are left out.
  package init(
    bytes: [UInt8], without agents: Set<AgentID>, leavingOut leftOut: inout Set<ChangeID>
  ) throws(DocumentError) {
    var lenient = Limits()
    lenient.freeEvents = lenient.events
    lenient.freeChanges = lenient.changes
    var document = try Document(bytes: bytes, limits: lenient)
    let all = document
    try document.leaveOut(agents)
    leftOut.formUnion(all.changes(missingIn: document).map(\.id))
    document.file.objects.keep(Limits())
    do throws(HistoryError) {
      try document.file.checkLimits()
    } catch {
      throw DocumentError(error, in: document.log)
    }
    self = document
  }

  /// Leaves the changes of some agents out, with all that follow them.
  private mutating func leaveOut(_ agents: Set<AgentID>) throws(DocumentError) {
    let isKept = log.chains(without: agents)
    if isKept.allSatisfy(\.self) { return }
    let whole = try insertedText()
    let rest: DocumentFile
    let lost: Int
    do throws(HistoryError) {
      let (log, insertedText) = try log.part(ofChains: isKept, insertedText: whole)
      let replay = try Replay(log)
      lost = replay.unknownScalarCount(insertedText: insertedText)
      rest = try DocumentFile(
        id: id, log: log, replay: replay, insertedText: insertedText,
        unknownSections: file.unknownSections)
    } catch {
      throw DocumentError(error, in: log)
    }
    // With other text under their names the changes would contradict every other copy.
    guard lost == 0 else {
      throw DocumentError(
        "\(lost) characters are redacted that only what is left out deleted; "
          + "begin with a copy from before", in: .log)
    }
    file = rest
  }
}
