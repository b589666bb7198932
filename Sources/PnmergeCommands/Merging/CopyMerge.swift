import AutomergeFormat
import JSONSchema
import Peernote

/// The merge of copies of one document, all or nothing.
struct CopyMerge {
  /// The first copy, and the file to be replaced unless there is an ``output``.
  var base: FileName
  var copies: [FileName]
  /// Where the result goes; `nil` for the first copy's place.
  var output: FileName?
  var backups = BackupPolicy()
  /// The merged document with what a person settled in it, to be brought in with the copies.
  var settled: Document?
  var schema: Schema?
  /// The agents whose changes are left out of every copy.
  var leftOut: Set<AgentID> = []
  /// Whether the outcome tells what comes in, place by place.
  var tellsPlaces = false
  /// What was read before.
  var streams = InputStreams()

  /// The file that is to hold the result.
  var target: FileName { output ?? base }

  /// Whether it takes the place of the first copy.
  var isInPlace: Bool {
    !target.isStandardStream && !base.isStandardStream && target == base
  }

  typealias Copy = (file: FileName, document: Document)

  /// Merges, and writes the result if it is news to its place.
  func callAsFunction(_ invocation: Invocation) throws -> MergeOutcome {
    try invocation.checkStandardInput([base] + copies)
    if isInPlace, let copy = copies.first { try invocation.checkIsThere(base, toMerge: copy) }
    var streams = streams
    // Merging uses the copies up, so that the result can be checked in their room. If the file was
    // changed meanwhile, they are read again.
    var others: [Copy]? = try readCopies(invocation, &streams)
    let outcome = try place(invocation)(expecting: isInPlace ? .existing : .any) { old in
      let copies = try others.take() ?? readCopies(invocation, &streams)
      let bytes = try isInPlace ? old ?? [] : streams.read(base, invocation)
      var document = try parse(bytes, base, beside: copies.first?.document, &streams, invocation)
      try checkLeftOut(streams)
      var outcome = try merge(&document, consume copies, invocation)
      outcome.leftOutCount = streams.leftOut.count
      if isInPlace {
        invocation.console.progress("writing \(base.visible)")
        // Even a copy without new changes may bring redactions; the bytes tell.
        return DocumentFile.Proposal(document, isCompared: true, report: outcome)
      }
      // The document is let go of: to read it back needs the memory.
      let merged = document.bytes()
      if let old, old != merged { try check(old, isPartOf: document) }
      return DocumentFile.Proposal(merged, document.state, report: outcome)
    }
    return outcome.report.written(outcome, to: target)
  }

  func readCopies(
    _ invocation: Invocation, _ streams: inout InputStreams
  ) throws(Failure) -> [Copy] {
    var others: [Copy] = []
    for (index, file) in copies.enumerated() {
      if copies.count > 1 {
        invocation.console.progress(
          "reading copy \(index + 1) of \(copies.count): \(file.inputName)")
      }
      let document = try parse(
        streams.read(file, invocation), file, beside: others.first?.document, &streams, invocation)
      others.append((file, document))
    }
    return others
  }

  /// Reads a copy, without what is to be left out.
  func parse(
    _ bytes: [UInt8], _ file: FileName, beside other: Document?, _ streams: inout InputStreams,
    _ invocation: Invocation
  ) throws(Failure) -> Document {
    if AutomergeFile.begins(bytes) {
      throw Failure(
        .usage, file: file,
        "is an Automerge document: it merges with its own copies only, and without a review; to make a "
          + "peernote document of it: pnmerge import \(shellQuoted(file))")
    }
    if leftOut.isEmpty { return try invocation.parseDocument(bytes, from: file, beside: other) }
    return try invocation.parsing(
      file, bytes, Document(bytes: bytes, without: leftOut, leavingOut: &streams.leftOut))
  }

  /// Refuses an agent of which several copies have no change: its name is mistyped.
  func checkLeftOut(_ streams: InputStreams) throws(Failure) {
    if copies.isEmpty { return }
    let known = Set(streams.leftOut.map(\.agent))
    guard let unknown = leftOut.sorted().first(where: { !known.contains($0) }) else { return }
    throw Failure(
      .usage,
      "no copy has changes by \(unknown); 'pnmerge log' lists the agents, of 16 hexadecimal digits "
        + "each; nothing was written")
  }

  func place(_ invocation: Invocation) -> DocumentFile {
    var place = DocumentFile(target, from: isInPlace ? [] : [base] + copies, invocation)
    (place.backups, place.action) = (backups, .merge)
    return place
  }

  /// Refuses to overwrite a file that holds anything but some of the changes in `document`.
  private func check(_ bytes: [UInt8], isPartOf document: Document) throws(Failure) {
    let existing: Document
    do {
      existing = try Document(bytes: bytes)
    } catch {
      throw refusal("exists and holds no readable document: \(error)")
    }
    let relation: Relation
    do {
      relation = try existing.relation(to: document)
    } catch {
      throw error.failure(target, existing, comparedWith: base, document)
    }
    switch relation {
    case .same, .behind: return
    case .ahead(let count), .diverged(ours: let count, theirs: _):
      throw refusal("holds \(counted(count, "change")) that the result would lack; merge it too")
    case .unrelated, .differentDocument:
      throw refusal(
        "exists, and is another document \(titleAndID(existing.id, existing.root)); give another "
          + "name after -o")
    }
  }

  /// The failure to report when the result cannot go to its place.
  func refusal(_ reason: String) -> Failure {
    Failure(.cannotCreate, file: target, "\(reason); nothing was written")
  }

  /// Merges all copies into a document, and lets go of each.
  func merge(
    _ document: inout Document, _ others: consuming [Copy], _ invocation: Invocation
  ) throws(Failure) -> MergeOutcome {
    let old = schema == nil ? nil : document.root
    let heads = document.heads
    let deletion = document.deletion
    var outcome = MergeOutcome(document: document.id, base: base, output: base)
    outcome.leftOut = leftOut.sorted()
    if tellsPlaces {
      outcome.divergence = try document.divergence(fromCopies: others.map(\.document), in: base)
    }
    let files = others.map(\.file)
    if let file = files.first {
      let what = files.count == 1 ? file.inputName : counted(files.count, "copy")
      invocation.console.progress("merging \(what)")
    }
    var documents = others.map(\.document)
    others = []
    let reports = try document.merge(files, into: base) { (number, _) throws(Failure) in
      files.count == 1 ? documents.removeLast() : documents[number]
    }
    for (file, report) in zip(files, reports) { outcome.add(report, from: file) }
    outcome.tellConflicts(in: document)
    if let settled {
      do {
        _ = try document.merge(settled)
      } catch {
        throw error.failure(base, document, comparedWith: base, settled)
      }
    }
    try schema?.check(document.root, replacing: old, in: base)
    if document.deletion != deletion { outcome.deletion = document.deletion }
    if outcome.result == .fastForward, settled == nil {
      outcome.arrived = document.conflicts(since: heads)
    }
    return outcome
  }
}

extension Invocation {
  /// Refuses to merge into a file that is not there, as far as that can be told.
  func checkIsThere(_ base: FileName, toMerge copy: FileName) throws(Failure) {
    do throws(HostError) {
      guard try host.identity(of: base, followingLinks: true) == nil else { return }
    } catch {
      return
    }
    throw Failure(
      .unreadable, file: base,
      "there is no such file to merge into; for a new copy: cp "
        + "\(shellQuoted(copy)) \(shellQuoted(base))")
  }
}

extension Document {
  /// Merges copies of the document in a file, and tells what each brought; the failure names the one
  /// that is at fault.
  ///
  /// `read` reads a copy by its number, beside another one, which is faster; it may read each twice if
  /// there are several. A single one is let go of while it is merged.
  mutating func merge(
    _ copies: [FileName], into base: FileName,
    read: (Int, Document) throws(Failure) -> Document
  ) throws(Failure) -> [MergeReport] {
    if copies.count > 1 {
      do {
        var merge = MergeByHalves(self)
        for number in copies.indices { try merge.add(try read(number, merge.first)) }
        let (document, reports) = try merge.finish()
        self = document
        return reports
      } catch let failure as Failure {
        throw failure
      } catch {
        // One after the other tells which one is at fault.
      }
    }
    let first = copies.count > 1 ? self : nil
    var reports: [MergeReport] = []
    for (number, file) in copies.enumerated() {
      let theirs = try read(number, self)
      guard theirs.id == id else {
        throw MergeError.differentDocument(ours: id, theirs: theirs.id)
          .failure(file, theirs, comparedWith: base, self)
      }
      let earlier = reports.last.map { $0.conflicts + $0.adjoining } ?? []
      do {
        reports.append(try merge(consume theirs, after: earlier))
      } catch {
        var opponent = base
        if let first, let copy = try? read(number, first), (try? first.relation(to: copy)) != nil {
          let other = copies.indices.prefix(number).first { other in
            (try? read(other, copy)).map { (try? $0.relation(to: copy)) == nil } ?? false
          }
          opponent = other.map { copies[$0] } ?? base
        }
        throw error.failure(file, self, comparedWith: opponent, self)
      }
    }
    return reports
  }

  /// What is contested in the document and was not in an earlier version.
  fileprivate func conflicts(since heads: [ChangeID]) -> [Conflict] {
    let present = conflicts
    guard !present.isEmpty, let past = try? at(version: heads) else { return present }
    let known = Set(past.conflicts)
    return present.filter { !known.contains($0) }
  }
}
