import AutomergeFormat
import Peernote

/// The merge of copies of an Automerge document, which stays one; all or nothing.
struct AutomergeMerge {
  /// The files, and what is to be done with them.
  let files: CopyMerge

  /// Whether files are to be merged as Automerge documents: the first one tells that is neither
  /// standard input nor a pipe.
  ///
  /// A pipe is opened only where no file tells, and if it is one of those that are merged from: what
  /// it would be merged into is refused without waiting for who writes to it.
  ///
  /// A file that is called .peernote is not looked into, since most are.
  static func isMeant(
    by files: [FileName], _ streams: inout InputStreams, _ invocation: Invocation
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

  /// A merge that was computed.
  private struct Result {
    var outcome: MergeOutcome
    /// The file; `nil` if the first copy lacks nothing.
    var bytes: [UInt8]?
    var state: DocumentHeads
    var hashes: Set<ChangeHash>
  }

  /// Merges, and writes the result if it is news to its place.
  func callAsFunction(_ invocation: Invocation) throws -> MergeOutcome {
    let (base, isInPlace) = (files.base, files.isInPlace)
    try invocation.checkStandardInput([base] + files.copies)
    var streams = files.streams
    if isInPlace { try invocation.checkIsThere(base, toMerge: files.copies[0]) }
    var kept: [FileName: [UInt8]] = [:]
    for file in files.copies { kept[file] = try streams.read(file, invocation) }
    let first = isInPlace ? nil : try streams.read(base, invocation)
    let outcome = try files.place(invocation)(expecting: isInPlace ? .existing : .any) { old in
      let result = try merge(first ?? old ?? [], kept)
      if !isInPlace, let old { try check(old, isPartOf: result) }
      return DocumentFile.Proposal(result.bytes, result.state, report: result.outcome) {
        bytes, file in try Self.check(bytes, result.hashes, file)
      }
    }
    return outcome.report.written(outcome, to: files.target)
  }

  /// Refuses to overwrite a file that holds anything but some of the changes of the result.
  private func check(_ bytes: [UInt8], isPartOf result: Result) throws(Failure) {
    if bytes == result.bytes { return }
    guard let copy = try? AutomergeCopy(bytes, from: files.target),
      let history = try? AutomergeHistory(copy.container.source)
    else { throw files.refusal("exists and holds no readable Automerge document") }
    let lacked = Set(history.numbers.keys).subtracting(result.hashes).count
    if lacked > 0 {
      throw files.refusal(
        "holds \(counted(lacked, "change")) that the result would lack; merge it too")
    }
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

  // MARK: Merging

  /// Merges the first copy and those kept.
  private func merge(
    _ bytes: [UInt8], _ kept: [FileName: [UInt8]]
  ) throws(Failure) -> Result {
    let first = try AutomergeCopy(
      required: bytes, from: files.base, addition: "; nothing was written")
    var all = [first]
    for file in files.copies {
      let bytes = kept[file] ?? []
      guard let copy = try AutomergeCopy(bytes, from: file, addition: "; nothing was written")
      else {
        throw Failure(
          .notSameDocument,
          "\(file.inputName) is no \(first.form) document as \(first.file.inputName) is"
            + "; nothing was written")
      }
      all.append(copy)
    }
    // Elsewhere the file is made even if the first copy lacks nothing.
    var result = try Self.merge(all, output: files.target, always: !files.isInPlace)
    if files.tellsPlaces { result.outcome.divergence = try divergence(of: all) }
    return result
  }

  /// What the copies bring, by the documents that `import` makes of them.
  private func divergence(of all: [AutomergeCopy]) throws(Failure) -> Divergence? {
    var documents: [Document] = []
    for copy in all {
      documents.append(try AutomergeImport.document(of: AutomergeDocument([copy])))
    }
    return try documents[0].divergence(fromCopies: documents.dropFirst(), in: files.base)
  }

  private static func merge(
    _ copies: [AutomergeCopy], output: FileName, always: Bool
  ) throws(Failure) -> Result {
    let document = try AutomergeDocument(copies, addition: "; nothing was written")
    let (history, state) = (document.history, document.state)
    for (copy, held) in zip(copies, history.copies) where !held.unknownColumns.isEmpty {
      throw Failure(
        .newerFormat, file: copy.file,
        "has columns that this version does not know and could not keep; nothing was written")
    }
    var outcome = MergeOutcome(document: document.id, base: copies[0].file, output: output)
    outcome.isForeign = true
    outcome.advice = AgendaRepair.advice(on: state, in: output)
    var known = held(by: 0, history)
    for (index, copy) in copies.enumerated().dropFirst() {
      let own = held(by: index, history)
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
    let isNew = outcome.copies.contains { $0.newChanges.count > 0 }
    return Result(
      outcome: outcome, bytes: isNew || always ? document.bytes(with: state) : nil,
      state: document.heads, hashes: Set(history.numbers.keys))
  }

  /// Merges two copies that are at hand.
  ///
  /// - Returns: the file, `nil` if the first copy lacks nothing; and the report.
  func merged(
    _ first: AutomergeCopy, _ second: AutomergeCopy
  ) throws(Failure) -> (bytes: [UInt8]?, outcome: MergeOutcome) {
    let result = try Self.merge([first, second], output: files.target, always: false)
    if let bytes = result.bytes { try Self.check(bytes, result.hashes, files.target) }
    return (result.bytes, result.outcome)
  }

  /// Which changes a copy holds, by their numbers.
  private static func held(by index: Int, _ history: AutomergeHistory) -> [Bool] {
    var holds = [Bool](repeating: false, count: history.changes.count)
    for number in history.copies[index].changes { holds[number] = true }
    return holds
  }
}

extension AutomergeMerge {
  /// The merge of one copy into another one.
  init(
    _ copy: FileName, into base: FileName, backups: BackupPolicy = BackupPolicy()
  ) {
    files = CopyMerge(base: base, copies: [copy], backups: backups)
  }
}

extension AutomergeDocument {
  /// The file with all changes of the copies: in the app's present envelope if any has one.
  ///
  /// The state is what they lead to, and perhaps some more.
  func bytes(with state: AutomergeState) -> [UInt8] {
    let chunks = state.bytes()
    guard let envelope else { return chunks }
    return MeetingNotesEnvelope(
      id: envelope.id, chunks: chunks,
      others: MeetingNotesEnvelope.union(copies.compactMap(\.container.envelope))
    ).bytes()
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
