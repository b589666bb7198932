extension Document {
  /// How much of what its history may take the document takes: 1 is all of it.
  ///
  /// Of steps for concurrent edits, and of pieces that deletions fall into, what comes nearer to its
  /// limit. Where two copies take too much together, it is mostly the one that takes more alone.
  ///
  /// One walk over the whole history.
  package var effort: Double {
    guard let replay = try? Replay(log), let work = try? file.objects.work(within: log.workLimit)
    else { return 1 }
    return max(replay.effort, Double(work) / Double(log.workLimit))
  }
}
