public import PeernoteEngine

/// What a session has done to a document and can take back, step by step.
///
/// A value that an app keeps beside its ``Document``. Undoing makes a new change that reverts the
/// session's last step (see ``Document/revert(_:by:message:)``) and leaves what others did; redoing
/// reverts that change in turn. What is undone and redone in between counts as if it had not been,
/// so that each step leads back to what was there before it. Both keep working after merges.
///
///     var history = UndoHistory()
///     history.note(try document.change(by: session) { try $0.put(.null, at: path) })
///     try history.undo(in: &document, by: session)
///     try history.redo(in: &document, by: session)
public struct UndoHistory: Hashable, Sendable {
  private struct Step: Hashable {
    /// What is to take back.
    var changes: [ChangeID]
    /// Later changes that cancel each other out: steps, and what took them back.
    var cancelled: [ChangeID] = []
  }

  private var done: [Step] = []
  private var undone: [Step] = []

  /// A history without any step.
  public init() {}

  /// Whether there is a step to undo.
  public var canUndo: Bool { !done.isEmpty }

  /// Whether there is a step to redo.
  public var canRedo: Bool { !undone.isEmpty }

  /// Notes a change that was made, if there was one.
  ///
  /// - Parameters:
  ///   - change: the change; `nil` if nothing was edited, and nothing is noted then.
  ///   - continuesStep: whether it belongs to the step before, as one more letter of a word does.
  public mutating func note(_ change: ChangeID?, continuesStep: Bool = false) {
    note(change.map { [$0] } ?? [], continuesStep: continuesStep)
  }

  /// Notes changes that were made, as one step; what was undone before can't be redone any more.
  ///
  /// - Parameters:
  ///   - changes: the changes, as those of a draft; if there are none, nothing is noted.
  ///   - continuesStep: whether they belong to the step before.
  public mutating func note(_ changes: [ChangeID], continuesStep: Bool = false) {
    if changes.isEmpty { return }
    undone = []
    if continuesStep, !done.isEmpty {
      done[done.count - 1].changes += changes
    } else {
      done.append(Step(changes: changes))
    }
  }

  /// Takes back the last step that has something left to take back.
  ///
  /// - Parameters:
  ///   - document: holds the changes noted.
  ///   - session: who makes the new change, and when.
  ///   - message: an optional remark.
  /// - Returns: the new change and what it settles; `nil` if there was nothing to undo.
  /// - Throws: ``RevertError``; the document and the history stay as they were.
  @discardableResult
  public mutating func undo(
    in document: inout Document, by session: DocumentSession, message: String? = nil
  ) throws(RevertError) -> RevertReport? {
    try Self.revertLast(of: &done, to: &undone, document: &document, session, message)
  }

  /// Does again what was undone last.
  ///
  /// - Parameters:
  ///   - document: holds the changes noted.
  ///   - session: who makes the new change, and when.
  ///   - message: an optional remark.
  /// - Returns: the new change and what it settles; `nil` if there was nothing to redo.
  /// - Throws: ``RevertError``; the document and the history stay as they were.
  @discardableResult
  public mutating func redo(
    in document: inout Document, by session: DocumentSession, message: String? = nil
  ) throws(RevertError) -> RevertReport? {
    try Self.revertLast(of: &undone, to: &done, document: &document, session, message)
  }

  /// Traps unless every step has a change, and none is in two steps; O(changes); for tests.
  package func checkInvariants() {
    let steps = done + undone
    precondition(!steps.contains { $0.changes.isEmpty }, "a step has a change")
    let changes = steps.flatMap(\.changes)
    precondition(Set(changes).count == changes.count, "a change belongs to one step")
    precondition(
      steps.allSatisfy { Set($0.changes).isDisjoint(with: $0.cancelled) },
      "what is to take back is not cancelled")
  }

  private static func revertLast(
    of steps: inout [Step], to others: inout [Step], document: inout Document,
    _ session: DocumentSession, _ message: String?
  ) throws(RevertError) -> RevertReport? {
    while let step = steps.last {
      let report = try document.revert(
        step.changes, cancelled: step.cancelled, by: session, message: message)
      steps.removeLast()
      if !steps.isEmpty {
        steps[steps.count - 1].cancelled +=
          step.changes + step.cancelled + (report.map { [$0.change] } ?? [])
      }
      if let report {
        others.append(Step(changes: [report.change]))
        return report
      }
    }
    return nil
  }
}
