public import PeernoteEngine

/// A place where a merge decided something that a person may want to look at.
public struct Conflict: Hashable, Sendable {
  /// What happened there.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Different values, or containers with different content, were written without one's author
    /// having seen the other.
    case register
    /// Both sides changed one line of a text, or lines that adjoin; what they did is combined.
    case adjacent
    /// Passages of a text were written against each other; one reading is shown.
    case passage
    /// Something was removed on one side and written or edited on the other; it stays.
    case deleteEdit = "delete-edit"
    /// Elements with one identity were inserted into a list on several sides; all stand there.
    case sameIdentity = "same-identity"
    /// Equal elements without identity were inserted into a list on several sides; all stand there.
    case sameContent = "same-content"
    /// Something was moved on one side, and on the other one removed, edited where it was, or moved
    /// elsewhere. A line of a text was removed in part at least.
    case moved
  }

  /// Where it stands in the merged document.
  public var path: JSONPointer
  /// For passages of texts the line of the text on which the passage starts, from 1.
  public var line: Int?
  /// For passages of texts where the passage stands in the merged text, in Unicode scalars.
  public var scalars: Range<Int>?
  /// What happened.
  public var kind: Kind
  /// Names the conflict: the same in every copy that has it.
  public var id: String
  /// What stands in the merged document; for lines that adjoin these, as merged.
  public var kept: Side
  /// The other values; for lines that adjoin these, as either side left them.
  public var others: [Side]

  /// The writes that compete and the removal if one does: of what is shown first, the others
  /// ascending; none for text.
  var writes: [EventID] = []
  /// What stands in front of a passage on its line.
  var lineStart = ""
  /// What is in something that was moved, and was moved by itself: conflicts of its own tell of it.
  var movedParts: [MovedPart] = []

  /// A part of something, by the way to it from there.
  struct MovedPart: Hashable {
    var tokens: ArraySlice<String>
    var node: DocumentNode
  }

  /// One of the values that compete.
  public struct Side: Hashable, Sendable {
    /// The value or container; `nil` if it is a removal.
    public var node: DocumentNode?
    /// Who made the ``change``.
    public var author: String
    /// When that was.
    public var time: Timestamp
    /// The change that wrote it, or removed it; for a container that was removed or replaced by
    /// someone who had not seen all edits inside, the latest change that made some of these.
    public var change: ChangeID
    /// Who else wrote what it says, of a passage that several people's edits made; the later first.
    public internal(set) var otherAuthors: [String] = []
    /// The changes that wrote what it says, the latest first.
    package var changes: [ChangeID] { [change] + otherChanges }
    var otherChanges: [ChangeID] = []
    /// For lines of texts where it stands, from 1.
    public var line: Int?
    /// Where it stands, or would stand, if that tells the sides apart: for what was moved, and for
    /// elements inserted on several sides, all of which are there.
    public var path: JSONPointer?
    /// Whether somebody moved it to where it stands, or would stand.
    package var isMoved = false
    /// What was moved; `nil` if it was removed, and for all else.
    var moved: Moved?
  }

  /// Something that was moved, wherever it stands.
  enum Moved: Hashable {
    /// A key of a map, or an element of a list.
    case thing(DocumentHandle)
    /// A place in its list that an element was moved to, and is not in.
    case place(element: EventID, move: EventID)
    /// A line of a text.
    case line
    /// A line of a text as somebody left it where it was who deleted a part of it. It stands nowhere.
    case shortenedLine

    /// The element that it is about, wherever in its list that is.
    var element: EventID? {
      switch self {
      case .thing(let handle): handle.element
      case .place(let element, _): element
      case .line, .shortenedLine: nil
      }
    }
  }
}

extension Conflict.Side {
  /// Whether the side has nothing that stands in the document: it removed something, or a part of it, or
  /// moved it to where it is not.
  package var isAbsent: Bool {
    switch moved {
    case .place?, .shortenedLine?: true
    case .thing?, .line?, nil: node == nil
    }
  }

  /// Whether the side removed a part of a line that was moved.
  package var isShortened: Bool { moved == .shortenedLine }
}

extension Conflict {
  /// How a conflict is settled: what stands at its place from then on.
  public enum Choice: Hashable, Sendable {
    /// What is shown stays; of elements that several people inserted, or of what they moved to several
    /// places, the first one.
    case kept
    /// One of the ``Conflict/sides``: what it wrote stands there, or nothing where it removed
    /// something.
    case side(Side)
    /// All sides together.
    ///
    /// Maps and sets get what each has, counters the sum, texts and lists what either has; so do
    /// elements that have one identity, which become one. Equal elements all stay, and so does what was moved to several places. The readings of a
    /// contested passage of a text stand there one after the other, and other passages stay as they
    /// were merged. Values, and containers of different kinds, exclude each other.
    case all
    /// Other content. A passage of a text takes a text or a string.
    case content(DocumentNode)
  }

  /// What competes: what is shown first, then ``others``.
  public var sides: [Side] { [kept] + others }

  /// The side that a change wrote or removed; `nil` if none is by that change, or several are.
  ///
  /// A passage that holds what both sides did is by neither.
  ///
  /// O(sides).
  public func side(by change: ChangeID) -> Side? {
    let found = writtenSides.filter { $0.change == change }
    return found.count == 1 ? found[0] : nil
  }

  /// Whether the conflict can be settled by a choice: not by ``Choice/all`` where the sides exclude
  /// each other, by a side of another conflict, or by other content than a text in a passage.
  ///
  /// A document does not know of models: where the sides are cases of an enumeration with values,
  /// ``Choice/all`` leaves the keys of all of them, from which the model cannot be read.
  ///
  /// Near-linear in the size of the sides.
  ///
  /// - Parameters:
  ///   - choice: what is to stand there.
  ///   - keys: what tells elements of lists apart.
  /// - Returns: whether ``Editor/resolve(_:taking:since:identityKeys:)`` takes it.
  public func allows(_ choice: Choice, identityKeys keys: [String] = ["id"]) -> Bool {
    resolution(taking: choice, identityKeys: keys) != nil
  }

  /// The sides that somebody wrote: a passage as merged is nobody's.
  package var writtenSides: [Side] { isCombined ? others : sides }

  /// Whether what both sides did stands there together.
  package var isCombined: Bool { kind == .adjacent }

  /// Where the elements or keys stand that it is about, if it is about what stands in several places
  /// or was moved.
  package var elements: [JSONPointer] { sides.filter { !$0.isAbsent }.compactMap(\.path) }

  /// The elements of lists that were moved, wherever they are, also those that are there no more.
  package var movedElements: [EventID] { sides.compactMap { $0.moved?.element } }

  /// Whether it is about several elements or keys, or about lines that were moved, all of which stand
  /// there.
  package var isOfSeveralElements: Bool {
    kind == .moved ? sides.count { !$0.isAbsent } > 1 : elements.count > 1
  }

  /// Whether it is about what a note keeps of its front matter.
  package var isOfFrontMatter: Bool { path.tokens == [Note.Key.frontMatter] }
}
