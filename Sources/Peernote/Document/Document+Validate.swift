extension Document {
  /// Checks a file from the envelope to the history of every text, which `quick` leaves out, and
  /// gives what is wrong.
  ///
  /// Goes on behind a fault as far as the rest still means something, so that one look tells how
  /// much is wrong. O(n log n), and at most a few replays of the history.
  package static func validate(bytes: [UInt8], quick: Bool = false) -> [DocumentError] {
    validate(bytes: bytes, quick: quick, limits: Limits())
  }

  /// Checks a file under other limits than those of the format.
  package static func validate(
    bytes: [UInt8], quick: Bool = false, limits: Limits
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
    let critical = CriticalVersions(of: log.graph)
    do throws(HistoryError) {
      guard try HistoryCheck.isSound(log, critical: critical, texts: file.texts) else {
        throw HistoryError(.viewDisagrees)
      }
      let made = try log.passages(
        raw: file.texts, critical: critical,
        memoryLimit: log.limits.memoryLeft(for: log.fileSize, beside: log.byteCount))
      if made == file.passages { return }
    } catch {
      if error.reason.isLimit { return }
      throw DocumentError(
        "a text is not what its history makes it", in: file.passages.isEmpty ? .view : .passages)
    }
    throw DocumentError("the passages are not those that the history makes", in: .passages)
  }
}
