/// Why a history cannot be what an honest program made.
///
/// Thrown when events contradict each other; a place is given as local version, which the format
/// turns into a change for people.
package struct HistoryError: Error, Hashable, Sendable {
  /// What is wrong, with a clause for people.
  package enum Reason: String, Hashable, Sendable {
    case changeWithoutEvents = "a change holds no event"
    case unknownParent = "a change names a parent that is not there"
    case cyclicParents = "changes are their own ancestors"
    case redundantParents = "a change names a parent that is an ancestor of another of its parents"
    case sequenceGap = "the sequence numbers of an agent have a gap"
    case agentForksItself = "a change has not seen the change before it by the same agent"
    case duplicateChange = "a change stands twice"
    case unknownContainer = "an operation names a container that does not exist"
    case containerNotSeen = "an operation is not causally after the creation of its container"
    case wrongContainerKind = "an operation does not fit the kind of its container"
    case positionOutOfRange = "an operation's position lies outside the text"
    case unknownElement = "an operation names a list element that does not exist"
    case elementOfOtherList = "an operation names an element of another list"
    case notNeighbours =
      "an operation places a list element between two that did not follow each other"
    case tooManyEvents = "more events than the limit"
    case tooManyChanges = "more changes than the limit"
    case tooManyContainers = "more containers than the limit"
    case tooManyParents = "more parents of changes than the limit"
    case tooManyContents = "more values than the limit for their length"
    case tooLong = "the file would be longer than the limit"
    case tooDeep = "containers are nested deeper than the limit"
    case tooMuchWork = "concurrent edits take more steps to bring in order than the limit"
    case tooMuchMemory = "the history takes more memory than the limit for its length"
    case tooLongSearch = """
      there are more deletions in long lines than the search for a pattern takes on; one that is \
      shorter, or without *, takes less
      """
    case deletedTextLength = "the deleted text is not as long as the deletions"
    case deletionsDisagree = "two deletions of the same text disagree on it"
    case viewDisagrees = "the view does not agree with the log"
    case textsDisagree = "the same changes lead to other text in two copies, one of which is wrong"
    case passagesDisagree = "the passages are not those that the history makes"
  }

  package var reason: Reason
  /// The event concerned, where there is one.
  package var event: LocalVersion?

  package init(_ reason: Reason, event: LocalVersion? = nil) {
    self.reason = reason
    self.event = event
  }
}

extension HistoryError.Reason {
  /// Whether the history is sound, but more than a program takes on.
  package var isLimit: Bool {
    switch self {
    case .tooManyEvents, .tooManyChanges, .tooManyContainers, .tooManyParents, .tooManyContents,
      .tooLong, .tooDeep, .tooMuchWork, .tooMuchMemory, .tooLongSearch:
      true
    case _: false
    }
  }

  /// A clause for people.
  package var description: String { rawValue }
}
