public import Peernote

/// What saving a document did.
public struct SaveReport: Hashable, Sendable {
  /// Whether the file holds other bytes now.
  public var hasWritten: Bool
  /// What came in from the file, which had changed meanwhile; `nil` if nothing did.
  public var merge: MergeReport?
}

extension Document {
  /// Reads the document in a file.
  ///
  /// Symbolic links are followed. O(n log n) for n bytes.
  ///
  ///     var document = try Document(contentsOf: file)
  ///
  /// - Parameter file: its name; a relative one starts at the process's working directory.
  /// - Throws: ``FileError`` with the kind `unreadable`, `busy` if the file kept changing while it
  ///   was read, `damaged` or `newerFormat`.
  public init(contentsOf file: FileName) throws(FileError) {
    let contents = try file.reading(
      SystemFileSystem().read(file, limit: FileReplacement.sizeLimit, beginning: .document))
    try self.init(bytes: contents.bytes, in: file)
  }

  /// Saves the document, together with what the file holds by then.
  ///
  /// If another program, or another part of this one, wrote the file since it was read, that is
  /// merged, and the document then holds it too: so no save takes anything back. The file is locked
  /// against other writers that do so, which may take up to 20 s. The new bytes are written beside
  /// it, read back, and take its name in one step once they are on the disk; whatever fails, the old
  /// ones stay. Its permissions stay; symbolic links are followed. If the file holds all of the
  /// document already, nothing is written.
  ///
  ///     try document.save(to: file)
  ///
  /// Waits for the disk: call it off the main actor. A signal that would end the process waits, if
  /// this thread gets it, until the file is in place.
  ///
  /// - Parameter file: its name; created if there is no such file.
  /// - Returns: what was written and what came in.
  /// - Throws: ``FileError``; document and file stay as they were.
  @discardableResult
  public mutating func save(to file: FileName) throws(FileError) -> SaveReport {
    try save(to: file, on: SystemFileSystem())
  }

  /// Saves the document on a machine.
  package mutating func save(
    to file: FileName, on files: any FileSystem
  ) throws(FileError) -> SaveReport {
    let mine = self
    var saved = self
    do {
      let replacement = FileReplacement(of: file, expecting: .any, host: files)
      let outcome = try replacement.replace { old in
        saved = mine
        var report: MergeReport?
        if let old {
          let other = try Document(bytes: old.bytes, in: file, beside: mine)
          let merge = try saved.merge(other, from: file)
          if !merge.newChanges.isEmpty || !merge.takenOut.isEmpty { report = merge }
        }
        return FileReplacement.Proposal(saved, isCompared: true, report: report)
      }
      self = saved
      return SaveReport(hasWritten: outcome.hasChanged, merge: outcome.report)
    } catch let error as FileError {
      throw error
    } catch {
      throw FileError(.inputOutput, file, "\(error)")
    }
  }

  /// Changes the document in a file: reads it, has it changed, and replaces the file.
  ///
  /// As safe as ``save(to:)``: what the closure leaves is merged with what the file holds, so that an
  /// older copy takes nothing back, and another document is refused. The file is locked meanwhile;
  /// should another program change it all the same, the closure runs again on the new content, so
  /// that it should do nothing but change the document.
  ///
  ///     try Document.update(file) { document in
  ///       try document.change(by: session) { editor in
  ///         try editor.put("Summer", at: ["title"])
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - file: its name; there must be such a file.
  ///   - body: changes the document.
  /// - Returns: what the closure returned last.
  /// - Throws: ``FileError``, and what the closure throws; the file stays as it was.
  @discardableResult
  public static func update<Result>(
    _ file: FileName, _ body: (inout Document) throws -> Result
  ) throws -> Result {
    let replacement = FileReplacement(of: file, expecting: .existing, host: SystemFileSystem())
    return try replacement.replace { old in
      var document = try Document(bytes: old?.bytes ?? [], in: file)
      let present = document
      let result = try body(&document)
      _ = try document.merge(present, from: file)
      return FileReplacement.Proposal(document, isCompared: true, report: result)
    }.report
  }
}

extension ObservedDocument {
  /// Saves the document, together with what the file holds by then, and tells the listeners what came
  /// in; see ``Document/save(to:)``.
  ///
  /// The document can be edited meanwhile: what is saved is what it held at first.
  @discardableResult
  nonisolated public func save(to file: FileName) async throws(FileError) -> SaveReport {
    var saved = await document
    let report = try saved.save(to: file)
    if report.merge == nil { return report }
    do throws(MergeError) {
      try await merge(saved)
    } catch {
      throw FileError(error, in: file)
    }
    return report
  }
}

extension Document {
  /// Reads the bytes of a file.
  private init(
    bytes: [UInt8], in file: FileName, beside other: Document? = nil
  ) throws(FileError) {
    do throws(DocumentError) {
      try self.init(bytes: bytes, beside: other)
    } catch {
      throw FileError(error, in: file)
    }
  }

  private mutating func merge(
    _ other: consuming Document, from file: FileName
  ) throws(FileError) -> MergeReport {
    do throws(MergeError) {
      return try merge(other)
    } catch {
      throw FileError(error, in: file)
    }
  }
}

extension FileError {
  /// Why what a file holds cannot be merged.
  fileprivate init(_ error: MergeError, in file: FileName) {
    switch error {
    case .differentDocument, .noSharedHistory, .sharedHistory:
      self.init(.differentDocument, file, "\(error); nothing was written")
    case .forked: self.init(.forkedHistory, file, "\(error); nothing was written")
    case .damaged(let error), .filled(by: _, let error): self.init(error, in: file)
    }
  }

  /// A fault of the document in a file.
  fileprivate init(_ error: DocumentError, in file: FileName) {
    let kind: Kind =
      switch error.kind {
      case .damaged, .limit, .noSuchVersion: .damaged
      case .newerFormat: .newerFormat
      }
    self.init(kind, file, error.description)
  }
}

extension DocumentHeads {
  /// Checks that encoded bytes of the document in this state can be read back, to be done before they
  /// take the place of what `file` holds.
  ///
  /// If the document itself is at hand, what the new file has in common with the one that it was read
  /// from is compared only, which is faster and changes nothing else. Without it, its memory is left
  /// to the one that is read.
  package func check(
    _ bytes: [UInt8], in file: FileName, beside document: Document? = nil
  ) throws(FileError) {
    if let document, DocumentHeads(of: document) == self, document.readBack(bytes) != nil { return }
    let fault: String
    do throws(DocumentError) {
      if try DocumentHeads(of: Document(bytes: bytes)) == self { return }
      fault = "the new document reads back differently; nothing was written"
    } catch {
      fault = "the new document cannot be read back (\(error)); nothing was written"
    }
    throw FileError(.inputOutput, file, fault)
  }
}
