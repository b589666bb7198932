extension Document {
  /// Checks a file from the envelope to the history of every text, which `quick` leaves out, and
  /// gives what is wrong.
  ///
  /// Goes on behind a fault as far as the rest still means something, so that one look tells how
  /// much is wrong. O(n log n), and at most a few replays of the history.
  package static func validate(
    bytes: [UInt8], quick: Bool = false, limits: Limits = Limits()
  ) -> [DocumentError] {
    FileCheck(bytes, quick: quick, limits: limits).faults
  }

  /// Checks that the texts of a document that was read are those that its history makes, and so are
  /// its contested passages.
  ///
  /// Opening a file takes both as it says. An edit of a text that its history does not make stands
  /// where nobody can merge it, so whoever is about to edit asks before. O(n log n), and a walk
  /// over the history of texts that were edited concurrently. Throws if they are not. That it takes
  /// too much to tell is no fault.
  package func checkTexts() throws(DocumentError) {
    let fault: DocumentError?
    do throws(HistoryError) {
      guard try HistoryCheck.isSound(log, critical: file.objects.critical, texts: file.texts) else {
        throw HistoryError(.viewDisagrees)
      }
      fault = try file.passageFault(
        memoryLimit: log.limits.memoryLeft(for: log.fileSize, beside: log.byteCount))
    } catch {
      if error.reason.isLimit { return }
      throw DocumentError(
        "a text is not what its history makes it", in: file.passages.isEmpty ? .view : .passages)
    }
    if let fault { throw fault }
  }

  /// Traps unless the log, what it shows, the texts and their passages agree with each other;
  /// O(n log n + bytes); for tests.
  package func checkInvariants() {
    log.checkInvariants()
    file.objects.checkInvariants()
    precondition(file.texts.count == log.containers.count, "every container has a place for a text")
    for (container, text) in zip(log.containers, file.texts) {
      text.checkInvariants()
      precondition(container.kind == .text || text.utf8.isEmpty, "texts stand in texts")
    }
    for (container, passages) in file.passages {
      precondition(!passages.isEmpty, "a text that is listed has passages")
      var end = 0
      for passage in passages {
        precondition(
          passage.raw.lowerBound >= end && !passage.raw.isEmpty, "passages ascend and don't meet")
        end = passage.raw.upperBound
        let readings = [passage.shown] + passage.others
        precondition(
          readings.allSatisfy { !$0.changes.isEmpty }, "a reading is that of some change")
        for reading in readings { reading.text.checkInvariants() }
      }
      precondition(end <= file.texts[container].scalarCount, "passages stand in their text")
    }
  }
}
