package import PeernoteEngine
package import PeernoteMerging

/// What could be saved from damaged copies of a document, and what is lost.
///
/// Made by ``Document/repair(copies:provenOnly:limits:)``. The elements of its lists of changes are made
/// when they are asked for: what is known of a change takes far more memory than its bytes in a file.
package struct Repair {
  /// The document of all that was saved; `nil` if nothing was.
  package internal(set) var document: Document?
  /// The copies that were found, in the order given; a file into which several were written holds
  /// several.
  package internal(set) var copies: [Copy] = []
  /// The copies of which each is whole, but no two can be right; if there are any, nothing is saved,
  /// and nothing is said of changes.
  ///
  /// A checksum tells damage, but not who forged a file. A person has to look at both, and to leave
  /// one out.
  package internal(set) var contradictions: [Contradiction] = []
  /// The changes of the document that no checksum proves, each after its parents.
  package internal(set) var unproven = AnyRandomAccessCollection<UnprovenChange>([])
  /// The changes that are known to have been there and were not saved, by time and name; of those
  /// that cannot be read, at most some thousands of each copy.
  package internal(set) var lost = AnyRandomAccessCollection<LostChange>([])
  /// Which limits stand in the way of replaying the document's whole history; empty if it was
  /// replayed and is sound.
  ///
  /// Otherwise the document is what merging the copies makes of them: it can be read, edited and
  /// merged, and ``Document/validate(bytes:quick:)`` finds the same.
  package internal(set) var unchecked: [DocumentError] = []
  /// How many scalars of deleted text are lost, though the changes that deleted them were saved.
  ///
  /// They count as redacted, so merging the document into a good copy takes them out there, too.
  package internal(set) var lostDeletedScalars = 0

  /// Whether the document is all that any copy tells of, and all of it is proven and was checked.
  package var isComplete: Bool {
    document != nil && unchecked.isEmpty && unproven.isEmpty && lost.isEmpty
      && lostDeletedScalars == 0
      && copies.allSatisfy { $0.isAccountedFor && $0.unredactedScalars == 0 }
  }

  /// How a copy was read.
  package enum Reading: Hashable, Sendable {
    /// It is sound.
    case sound
    /// Its checksum is right and it can be read, so it was taken as it is; what stands in the way
    /// of replaying its history to see whether it is sound.
    case unchecked([DocumentError])
    /// It was damaged, and its checksum proves that what was made of it is what was written.
    case restored(Damage)
    /// Its checksum is wrong, so what was taken from it is not proven; what is known to be wrong.
    case salvaged([DocumentError])
    /// It is another document, and was left out.
    case otherDocument(UniqueID)
    /// Nothing of it could be used, and why.
    case unusable(String)
  }

  /// What was wrong with a copy that was restored.
  package typealias Damage = Restoration.Damage

  /// A copy, and what came of it.
  package struct Copy: Hashable, Sendable {
    /// The number of the file that it was found in.
    package var file: Int
    /// Where it stands in the file.
    package var bytes: Range<Int>
    package var reading: Reading
    /// How many changes were read of it.
    package var changeCount = 0
    /// How many of the unproven changes it tells of.
    package var unprovenChangeCount = 0
    /// Which bytes of texts are damaged, counted from the beginning of the copy.
    package var damagedText: [Range<Int>] = []
    /// How many scalars of deleted text are redacted in the document on its word alone, which
    /// nothing proves.
    ///
    /// Merging the document into a good copy takes them out there, too.
    package var redactedScalars = 0
    /// How many scalars of deleted text stay in the document, since another copy has them, though
    /// this one says that they were redacted, which nothing proves.
    ///
    /// If they were, ``Document/redactDeletedText(matching:)`` takes them out again.
    package var unredactedScalars = 0
    /// Whether all is known that it held, and was saved.
    package var isAccountedFor = false
  }

  /// A whole copy that others contradict: a change says different things, or the same changes lead to
  /// other text.
  package struct Contradiction: Hashable, Sendable {
    /// The copy's place in ``Repair/copies``.
    package var copy: Int
    /// The places of those before it, in the order of repairing, that it cannot be merged with.
    package var others: [Int]
    /// What they contradict each other in.
    package var reason: MergeError
  }

  /// A change that was taken from copies whose checksum is wrong.
  ///
  /// Its operations fit into the history, and its text is as long as they say. That a letter, a
  /// number or a time in it is another one than was written would not show.
  package struct UnprovenChange: Hashable, Sendable {
    /// What is known of it.
    package var summary: ChangeSummary
    /// How many different damaged copies say the same, to the letter.
    ///
    /// From two on only damage that they have in common can have changed it.
    package var witnesses: Int
  }

  /// A change that was not saved.
  package struct LostChange: Hashable, Sendable {
    package var id: ChangeID
    /// When it was made, if that could be read.
    package var time: Timestamp?
    /// Who made it, if that could be read.
    package var author: String?
    package var reason: Reason

    package enum Reason: Hashable, Sendable {
      /// It is named, but what it did cannot be read.
      case unreadable
      /// Some of the text that it inserted cannot be read.
      case text
      /// It follows this change, which is lost.
      case follows(ChangeID)
      /// It contradicts what other copies say.
      case contradiction
      /// To bring it together with what others say takes more than the limits allow.
      case limit
      /// No checksum proves it, and only what is proven was asked for.
      case unproven
      /// Its copy does not say which document it is of.
      case unknownDocument
    }
  }
}

extension Document {
  /// Saves what can be saved from copies of a document, damaged or not, and says what came of each
  /// copy; pnmerge(1) tells what counts as proven; O(n log n) for n bytes of each copy, plus some
  /// seconds for a copy that all attempts to prove are made on.
  ///
  /// A copy is taken for whole, too, that is not damaged but takes more than the limits to check.
  /// If all together take more than the limits, they are merged all the same; what a damaged copy
  /// adds then has to be readable without the help of the others.
  ///
  /// A change with lost text is not saved, nor is what follows it: with other text under its name
  /// it would differ from good copies that may turn up.
  ///
  /// If the copies belong to different documents, the one with most whole copies is repaired, or,
  /// if none is whole, that with most others; if there is no such one, none is. The order of the
  /// copies makes no difference to the document, and repairing the result changes nothing.
  package static func repair(
    copies files: [[UInt8]], provenOnly: Bool = false, limits: Limits = Limits()
  ) -> Repair {
    var work = RepairWork(files, provenOnly: provenOnly, limits: limits)
    work.run()
    return work.repair
  }

  /// What a damaged file shows, as far as it can be read, without its history; `nil` if nothing can
  /// be.
  ///
  /// For when a repair saves less than that, since text without the changes that wrote it, or with
  /// holes, cannot go on as the same document. A new one can be started from it. Nothing of it is
  /// proven. It is a map, with U+FFFD in texts and strings for what is no text. O(n).
  package static func readableContent(bytes: [UInt8]) -> DocumentNode? {
    ViewTree.readDamaged(bytes)
  }
}

extension Document {
  /// Removes what other programs have put into optional sections of the file.
  ///
  /// No change records this: a merge with a copy that still has them brings them back. O(1).
  package mutating func removeOptionalSections() { file.unknownSections = [] }

  /// A file without its optional sections if they take more than the limit and nothing else is
  /// wrong with it; else the file as it is; O(n log n) where they do, else O(n).
  package static func withoutExcessSections(_ bytes: [UInt8]) -> [UInt8] {
    var limits = Limits()
    limits.optionalSections = .max
    guard let envelope = try? Envelope(bytes, limits: limits),
      envelope.unknownSections.size > Limits().optionalSections,
      var file = try? DocumentFile(bytes, limits: limits)
    else { return bytes }
    file.unknownSections = []
    return file.bytes()
  }
}
