extension Document {
  /// Makes one change of all edits made in a closure.
  ///
  /// All or nothing: if the closure throws, the document stays as it was.
  ///
  /// - Parameters:
  ///   - session: who makes the change, and when. If it has made changes that this copy lacks, the
  ///     change is made by another agent.
  ///   - message: an optional remark.
  ///   - body: makes the edits.
  /// - Returns: the change's name; `nil` if nothing was edited.
  /// - Throws: what the closure throws.
  @discardableResult
  public mutating func change<Failure>(
    by session: DocumentSession, message: String? = nil,
    _ body: (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> ChangeID? {
    let (chainCount, lastChain) = (log.graph.chains.count, log.graph.chains.last)
    file.measureIfNearLimit()
    let names = session.author.utf8.count + (message?.utf8.count ?? 0)
    let agent = session.begin(in: self)
    // The editor is the only one that has the state then, and edits it in place.
    var objects = Objects.empty
    var texts: [TextBuffer] = []
    swap(&objects, &file.objects)
    swap(&texts, &file.texts)
    var editor = Editor(
      editor: ChangeEditor(
        objects: consume objects, texts: consume texts, agent: agent, namesSize: names),
      passages: file.passages, redactionMarker: redactionMarker)
    do throws(Failure) {
      try body(&editor)
    } catch {
      editor.editor.giveUp()
      putBack(editor.editor)
      session.giveUp(agent, in: id)
      throw error
    }
    if editor.editor.isEmpty {
      putBack(editor.editor)
      session.giveUp(agent, in: id)
      return nil
    }
    editor.editor.finish(time: session.time, author: session.author, message: message)
    putBack(editor.editor)
    file.passages = editor.passages
    findPassages(in: editor.rawEdited)
    if let redactionMarker { file.objects.redact(Redaction(of: redactionMarker, in: log)) }
    // Where the change goes on with the last chain, that stands differently in the file.
    let goesOn =
      lastChain.map { $0.end < log.graph.chains[ChainIndex(chainCount - 1)].end } ?? false
    file.layout?.keepChains(goesOn ? chainCount - 1 : chainCount)
    return log.changeID(ofChange: log.graph.changes.upperBound - 1)
  }

  /// Finds the passages of texts of which the raw text was edited.
  ///
  /// Those of other texts the editor knows: a change that follows everything settles the passages
  /// that it meets, and leaves the others as they are. A walk over the whole history of each text
  /// that was edited concurrently; one that takes more than the limits finds none.
  private mutating func findPassages(in edited: Set<ContainerIndex>) {
    if edited.isEmpty { return }
    let walked = log.containersEditedConcurrently(file.objects.critical)
      .filter { edited.contains($0) }
    guard let found = try? log.passages(of: walked, raw: file.texts) else { return }
    for container in edited { file.passages[container] = found[container] }
  }

  private mutating func putBack(_ editor: ChangeEditor) {
    file.objects = editor.objects
    file.texts = editor.texts
  }
}
