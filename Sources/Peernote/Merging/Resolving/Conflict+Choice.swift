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
  package var isCombined: Bool {
    switch kind {
    case .adjacent: true
    case .register, .passage, .deleteEdit, .sameIdentity, .sameContent, .moved: false
    }
  }

  /// Where the elements or keys stand that it is about, if it is about what stands in several places
  /// or was moved.
  package var elements: [JSONPointer] { sides.filter { !$0.isAbsent }.compactMap(\.path) }

  /// The elements of lists that were moved, wherever they are, also those that are there no more.
  package var movedElements: [EventID] { sides.compactMap { $0.moved?.element } }

  /// Whether it is about several elements or keys, all of which stand there.
  package var isOfSeveralElements: Bool { elements.count > 1 }

  /// Whether it is about what a note keeps of its front matter.
  package var isOfFrontMatter: Bool { path.tokens == [Note.Key.frontMatter] }
}
