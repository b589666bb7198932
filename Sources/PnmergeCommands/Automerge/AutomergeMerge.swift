import AutomergeFormat
import Peernote

/// The merge of copies of an Automerge document, which stays one; all or nothing.
extension CopyMerge {
  /// Whether files are to be merged as Automerge documents: the first one tells that is neither
  /// standard input nor a pipe.
  ///
  /// A pipe is opened only where no file tells, and if it is one of those that are merged from: what
  /// it would be merged into is refused without waiting for who writes to it. A file that is called
  /// .peernote is not looked into, since most are.
  static func isOfAutomerge(
    _ files: [FileName], _ streams: inout InputStreams, _ invocation: Invocation
  ) -> Bool {
    let named = files.filter { !$0.isStandardStream }
    guard
      let file = named.first(where: { !InputStreams.isPipe($0, invocation) })
        ?? named.first(where: { $0 != files[0] })
    else { return false }
    let name = String(decoding: file.lastComponent.bytes, as: UTF8.self).lowercased()
    if name.hasSuffix(".peernote") { return false }
    do throws(Failure) {
      return AutomergeCopy.isMeant(by: try streams.read(file, invocation), file)
    } catch {
      // The merge will say why it cannot be read.
      return AutomergeCopy.hasName(file)
    }
  }

  /// Merges copies of an Automerge document, and writes the result if it is news to its place.
  func mergeAutomerge(_ invocation: Invocation) throws -> MergeOutcome {
    try invocation.checkStandardInput([base] + copies)
    var streams = streams
    if isInPlace { try invocation.checkIsThere(base, toMerge: copies[0]) }
    let others = try copies.map { (file: $0, bytes: try streams.read($0, invocation)) }
    let first = isInPlace ? nil : try streams.read(base, invocation)
    let outcome = try place(invocation)(expecting: isInPlace ? .existing : .any) { old in
      let all = try automergeCopies(first ?? old ?? [], others)
      let merged = try AutomergeDocument(merging: all)
      var outcome = merged.mergeOutcome(output: target)
      if tellsPlaces { outcome.divergence = try divergence(of: all) }
      // Elsewhere the file is made even if the first copy lacks nothing.
      let isMade = outcome.newChanges.count > 0 || !isInPlace
      let bytes = isMade ? merged.bytes(with: merged.state) : nil
      let hashes = Set(merged.history.numbers.keys)
      if !isInPlace, let old, old != bytes { try check(old, holdsOnly: hashes) }
      return DocumentFile.Proposal(bytes, merged.heads, report: outcome) { bytes, file in
        try AutomergeDocument.check(bytes, hashes, file)
      }
    }
    return outcome.report.written(outcome, to: target)
  }

  /// Takes the first copy and the others apart.
  private func automergeCopies(
    _ bytes: [UInt8], _ others: [(file: FileName, bytes: [UInt8])]
  ) throws(Failure) -> [AutomergeCopy] {
    let addition = "; nothing was written"
    let first = try AutomergeCopy(required: bytes, from: base, addition: addition)
    var all = [first]
    for (file, bytes) in others {
      guard let copy = try AutomergeCopy(bytes, from: file, addition: addition) else {
        throw Failure(
          .notSameDocument,
          "\(file.inputName) is no \(first.form) document as \(base.inputName) is\(addition)")
      }
      all.append(copy)
    }
    return all
  }

  /// What the copies bring, by the documents that `import` makes of them.
  private func divergence(of all: [AutomergeCopy]) throws(Failure) -> Divergence? {
    let documents = try all.map { (copy) throws(Failure) in
      try AutomergeImport.document(of: AutomergeDocument([copy]))
    }
    return try documents[0].divergence(fromCopies: documents.dropFirst(), in: base)
  }

  /// Refuses to overwrite a file that holds anything but some of these changes.
  private func check(_ bytes: [UInt8], holdsOnly hashes: Set<ChangeHash>) throws(Failure) {
    guard let copy = try? AutomergeCopy(bytes, from: target),
      let history = try? AutomergeHistory(copy.container.source)
    else { throw refusal("exists and holds no readable Automerge document") }
    let lacked = Set(history.numbers.keys).subtracting(hashes).count
    if lacked > 0 {
      throw refusal("holds \(counted(lacked, "change")) that the result would lack; merge it too")
    }
  }
}

extension AutomergeDocument {
  /// Merges copies, of which nothing may be lost.
  init(merging copies: [AutomergeCopy]) throws(Failure) {
    try self.init(copies, addition: "; nothing was written")
    for (copy, held) in zip(copies, history.copies) where !held.unknownColumns.isEmpty {
      throw Failure(
        .newerFormat, file: copy.file,
        "has columns that this version does not know and could not keep; nothing was written")
    }
  }

  /// What each copy brought to those before it.
  func mergeOutcome(output: FileName) -> MergeOutcome {
    var outcome = MergeOutcome(document: id, base: copy.file, output: output)
    outcome.isForeign = true
    outcome.advice = AgendaRepair.advice(on: state, in: output)
    var known = held(by: 0)
    for (index, copy) in copies.enumerated().dropFirst() {
      let own = held(by: index)
      let news = history.changes.indices.filter { own[$0] && !known[$0] }
      let lacks = history.changes.indices.contains { known[$0] && !own[$0] }
      outcome.copies.append(
        MergeOutcome.Copy(
          file: copy.file, newChanges: ChangeTally(authors: news.lazy.map { history.author($0) }),
          result: news.isEmpty ? (lacks ? .behind : .identical) : lacks ? .merged : .fastForward,
          takenOut: []))
      if !news.isEmpty, lacks {
        outcome.add(AutomergeMergeReport(state, ours: known, theirs: own).conflicts)
      }
      for number in news { known[number] = true }
    }
    return outcome
  }

  /// Which changes a copy holds, by their numbers.
  private func held(by index: Int) -> [Bool] {
    var holds = [Bool](repeating: false, count: history.changes.count)
    for number in history.copies[index].changes { holds[number] = true }
    return holds
  }

  /// The file with all changes of the copies, and perhaps some more, that lead to a state: in the app's
  /// present envelope if any copy has one.
  func bytes(with state: AutomergeState) -> [UInt8] {
    let chunks = state.bytes()
    guard let envelope else { return chunks }
    return MeetingNotesEnvelope(
      id: envelope.id, chunks: chunks,
      others: MeetingNotesEnvelope.union(copies.compactMap(\.container.envelope))
    ).bytes()
  }

  /// Checks that a new file can be read back, and holds the changes that it should.
  static func check(
    _ bytes: [UInt8], _ hashes: Set<ChangeHash>, _ file: FileName
  ) throws(Failure) {
    let read: AutomergeHistory
    do throws(AutomergeError) {
      read = try AutomergeHistory(AutomergeFile(bytes).source)
    } catch {
      throw Failure(
        .ioError, file: file,
        "the new document cannot be read back (\(error)); nothing was written")
    }
    guard Set(read.numbers.keys) == hashes else {
      throw Failure(
        .ioError, file: file, "the new document reads back differently; nothing was written")
    }
  }
}

extension MergeOutcome {
  /// Adds what a further copy brought together with those before it.
  fileprivate mutating func add(_ news: [Conflict]) {
    let ids = Set(news.map { "\($0.kind) \($0.path) \($0.id)" })
    conflicts.removeAll { ids.contains("\($0.kind) \($0.path) \($0.id)") }
    conflicts += news
  }
}
