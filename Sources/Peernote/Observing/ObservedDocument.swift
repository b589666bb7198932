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
///       }
///     }
///     try await live.merge(other)
public actor ObservedDocument {
  /// The document as it is now.
  public private(set) var document: Document
  private var listeners: [Int: AsyncStream<Update>.Continuation] = [:]
  private var nextListener = 0

  /// What one edit or merge did.
  public struct Update: Hashable, Sendable {
    /// What leads from the content before to the content after; empty if only the history grew.
    public var patches: [Patch]
    /// The heads afterwards.
    public var heads: [ChangeID]
  }

  /// The content at some moment, and everything that happens to it from then on.
  public struct Updates: Sendable {
    /// The content to begin with.
    public let root: Node
    /// The updates, in order; none is left out.
    public let values: AsyncStream<Update>
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
  /// Updates wait for a slow listener. The sequence ends with the actor; whoever leaves its loop
  /// before is forgotten.
  public func updates() -> Updates {
    let (stream, continuation) = AsyncStream.makeStream(of: Update.self)
    let number = nextListener
    nextListener += 1
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      Task { await self.forget(number) }
    }
    return Updates(root: document.root, values: stream)
  }

  private func forget(_ listener: Int) {
    listeners[listener] = nil
  }

  /// Edits, merges or replaces the document, and tells the listeners what changed.
  ///
  /// All or nothing: if the closure throws, the document stays as it was. What is told costs a
  /// comparison of the contents, and nothing if nobody listens.
  ///
  /// - Parameter body: changes the document.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  @discardableResult
  public func update<Result: Sendable, Failure>(
    _ body: @Sendable (inout Document) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var next = document
    let result = try body(&next)
    let previous = document
    document = next
    if listeners.isEmpty || next.heads == previous.heads { return result }
    let update = Update(patches: next.patches(from: previous), heads: next.heads)
    for listener in listeners.values { listener.yield(update) }
    return result
  }

  /// Makes one change of all edits made in a closure; see ``Document/change(by:message:_:)``.
  ///
  /// - Parameters:
  ///   - session: who makes the change, and when.
  ///   - message: an optional remark.
  ///   - body: makes the edits.
  /// - Returns: the change's name; `nil` if nothing was edited.
  /// - Throws: what the closure throws.
  @discardableResult
  public func change<Failure>(
    by session: Session, message: String? = nil,
    _ body: @Sendable (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> ChangeID? {
    try update { (document: inout Document) throws(Failure) -> ChangeID? in
      try document.change(by: session, message: message, body)
    }
  }

  /// Brings in all changes of another copy; see ``Document/merge(_:after:)``.
  ///
  /// - Parameter other: the other copy.
  /// - Returns: what the merge did and decided.
  /// - Throws: ``MergeError``; the document stays as it was.
  @discardableResult
  public func merge(_ other: Document) throws(MergeError) -> MergeReport {
    try update { (document: inout Document) throws(MergeError) -> MergeReport in
      try document.merge(other)
    }
  }
}
