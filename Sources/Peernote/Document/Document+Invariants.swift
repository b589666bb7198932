extension Document {
  /// Traps unless the log, what it shows, the texts, their passages and what is known of the file
  /// agree with each other.
  ///
  /// O(n log n + bytes); for tests.
  package func checkInvariants() {
    log.checkInvariants()
    file.objects.checkInvariants()
    file.layout?.checkInvariants()
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
