public import PeernoteEngine
public import PeernoteMerging

/// A document that tells views what changes in it.
///
/// An actor that owns the document: edits, merges and reversals go through it one after the other,
/// and each that changes the content is told to all who listen, as patches.
///
///     let live = ObservedDocument(document)
///     let updates = await live.updates()
///     Task {
///       for await update in updates.values {
///         for patch in update.patches { await screen.show(patch) }
///         // No more than 20 times a second; what comes in between is one update.
///         try await Task.sleep(for: .milliseconds(50))
///       }
///     }
///     try await live.merge(other)
public actor ObservedDocument {
  /// The document as it is now.
  public private(set) var document: Document
  private var listeners: [Int: Listener] = [:]
  private var nextListener = 0
  /// What each session did here.
  private var histories: [AgentID: UndoHistory] = [:]

  /// What one edit or merge did.
  public struct Update: Hashable, Sendable {
    /// What leads from the content before to the content after; empty if only the history grew.
    public var patches: [Patch]
    /// The heads afterwards.
    public var heads: [ChangeID]
  }

  /// What waits for a listener that is slower than the document changes.
  public enum Delivery: Hashable, Sendable {
    /// Each edit and merge is an update of its own. All that a listener has not taken wait, however
    /// many they are: for those who record what happens.
    case each
    /// What happened since the last update that the listener took is one update, made when the
    /// listener asks for the next: at most one waits, and what was undone in between is never
    /// shown. For views.
    case latest
  }

  /// Somebody who listens.
  private enum Listener {
    case each(AsyncStream<Update>.Continuation)
    /// The document that the listener knows, and whom to wake when there is another.
    case latest(shown: Document, AsyncStream<Void>.Continuation)

    func finish() {
      switch self {
      case .each(let continuation): continuation.finish()
      case .latest(_, let continuation): continuation.finish()
      }
    }
  }

  /// Takes over a document.
  public init(_ document: Document) {
    self.document = document
  }

  deinit {
    for listener in listeners.values { listener.finish() }
  }

  /// Begins to listen.
  ///
  /// The sequence ends with the actor; whoever leaves its loop before is forgotten.
  ///
  /// - Parameter delivery: what waits for a slow listener.
  /// - Returns: the content to begin with, and what happens from then on, in order: the patches of
  ///   each update lead from where those before it led.
  public func updates(
    _ delivery: Delivery = .latest
  ) -> (root: DocumentNode, values: AsyncStream<Update>) {
    let number = nextListener
    nextListener += 1
    switch delivery {
    case .each:
      let (stream, continuation) = AsyncStream.makeStream(of: Update.self)
      continuation.onTermination = { [weak self] _ in self?.forgetLater(number) }
      listeners[number] = .each(continuation)
      return (document.root, stream)
    case .latest:
      let (signals, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      continuation.onTermination = { [weak self] _ in self?.forgetLater(number) }
      listeners[number] = .latest(shown: document, continuation)
      let stream = AsyncStream<Update>(unfolding: { [weak self] in
        for await _ in signals {
          guard let self else { return nil }
          if let update = await self.takeUpdate(number) { return update }
        }
        return nil
      })
      return (document.root, stream)
    }
  }

  /// What happened since a listener asked last; `nil` if nothing did.
  private func takeUpdate(_ number: Int) -> Update? {
    guard case .latest(let shown, let continuation) = listeners[number],
      shown.heads != document.heads
    else { return nil }
    listeners[number] = .latest(shown: document, continuation)
    return Update(patches: document.patches(from: shown), heads: document.heads)
  }

  nonisolated private func forgetLater(_ listener: Int) {
    Task { await forget(listener) }
  }

  private func forget(_ listener: Int) {
    listeners[listener] = nil
  }

  /// Edits, merges or replaces the document, and tells the listeners what changed.
  ///
  /// All or nothing: if the closure throws, the document stays as it was. What is told costs a
  /// comparison of the contents: here if a listener takes ``Delivery/each``, else when a listener
  /// asks.
  ///
  /// - Parameter body: changes the document.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  @discardableResult
  public func update<Result: Sendable, Failure>(
    _ body: @Sendable (inout Document) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try take(body)
  }

  private func take<Result, Failure>(
    _ body: (inout Document) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var next = document
    let result = try body(&next)
    let previous = document
    document = next
    if listeners.isEmpty || document.heads == previous.heads { return result }
    lazy var update = Update(patches: document.patches(from: previous), heads: document.heads)
    for listener in listeners.values {
      switch listener {
      case .latest(_, let continuation): continuation.yield()
      case .each(let continuation): continuation.yield(update)
      }
    }
    return result
  }

  /// Makes one change of all edits made in a closure; see ``Document/change(by:message:_:)``.
  ///
  /// - Parameters:
  ///   - session: who makes the change, and when.
  ///   - message: an optional message.
  ///   - continuesStep: whether it is undone together with the session's step before, as one more
  ///     letter of a word is.
  ///   - body: makes the edits.
  /// - Returns: the change's name; `nil` if nothing was edited.
  /// - Throws: what the closure throws.
  @discardableResult
  public func change<Failure>(
    by session: DocumentSession, message: String? = nil, continuesStep: Bool = false,
    _ body: @Sendable (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> ChangeID? {
    let change = try take { (document: inout Document) throws(Failure) -> ChangeID? in
      try document.change(by: session, message: message, body)
    }
    histories[session.agent, default: UndoHistory()].note(change, continuesStep: continuesStep)
    return change
  }

  /// Writes what was edited in a draft, and reads the draft again; see
  /// ``Document/commit(_:by:message:)``.
  @discardableResult
  public func commit<Model>(
    _ draft: inout Draft<Model>, by session: DocumentSession, message: String? = nil
  ) throws(ModelError) -> CommitReport {
    let report = try take { (document: inout Document) throws(ModelError) -> CommitReport in
      try document.commit(&draft, by: session, message: message)
    }
    histories[session.agent, default: UndoHistory()].note(report.changes)
    return report
  }

  /// What a session did here, by ``change(by:message:continuesStep:_:)`` and
  /// ``commit(_:by:message:)``, and can take back.
  public func history(of session: DocumentSession) -> UndoHistory {
    histories[session.agent] ?? UndoHistory()
  }

  /// Takes back the last step of a session; see ``UndoHistory/undo(in:by:message:)``.
  @discardableResult
  public func undo(by session: DocumentSession) throws(RevertError) -> RevertReport? {
    var history = history(of: session)
    let report = try take { (document: inout Document) throws(RevertError) -> RevertReport? in
      try history.undo(in: &document, by: session)
    }
    histories[session.agent] = history
    return report
  }

  /// Does again what a session undid last; see ``UndoHistory/redo(in:by:message:)``.
  @discardableResult
  public func redo(by session: DocumentSession) throws(RevertError) -> RevertReport? {
    var history = history(of: session)
    let report = try take { (document: inout Document) throws(RevertError) -> RevertReport? in
      try history.redo(in: &document, by: session)
    }
    histories[session.agent] = history
    return report
  }

  /// Brings in all changes of another copy; see ``Document/merge(_:after:)``.
  ///
  /// - Parameter other: the other copy.
  /// - Returns: what the merge did and decided.
  /// - Throws: ``MergeError``; the document stays as it was.
  @discardableResult
  public func merge(_ other: Document) throws(MergeError) -> MergeReport {
    try take { (document: inout Document) throws(MergeError) -> MergeReport in
      try document.merge(other)
    }
  }
}

extension ObservedDocument {
  /// Traps unless every listener knows some of what the document holds; O(n log n + bytes), and
  /// O(heads) for each listener; for tests.
  package func checkInvariants() {
    document.checkInvariants()
    for listener in listeners.values {
      guard case .latest(let shown, _) = listener else { continue }
      precondition(
        shown.heads.allSatisfy(document.contains), "a listener knows what is there")
    }
  }
}
