extension Document {
  /// Makes one change of all edits made in a closure.
  ///
  /// All or nothing: if the closure throws, the document stays as it was.
  ///
  /// - Parameters:
  ///   - session: who makes the change, and when.
  ///   - message: an optional remark.
  ///   - body: makes the edits.
  /// - Returns: the change's name; `nil` if nothing was edited. In rare cases another change comes
  ///   before it: what an edit beside contested text would have made that text show differently is
  ///   settled as the closure left it.
  /// - Throws: what the closure throws.
  @discardableResult
  public mutating func change<Failure>(
    by session: Session, message: String? = nil,
    _ body: (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> ChangeID? {
    let (change, unsettled) = try makeChange(by: session, message: message, body)
    return settle(unsettled, by: session) ?? change
  }

  /// Makes one change of all edits made in a closure, and nothing besides.
  ///
  /// - Returns: whether each text shows what the closure left; `nil` if nothing was edited.
  /// - Throws: what the closure throws.
  mutating func changeOnce<Failure>(
    by session: Session, message: String? = nil,
    _ body: (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> Bool? {
    let (change, unsettled) = try makeChange(by: session, message: message, body)
    return change == nil ? nil : unsettled.isEmpty
  }

  /// Writes texts as they were left, where finding their passages again made them show something
  /// else: what somebody saves is what they see.
  ///
  /// Each time the passages that differ become ordinary text, so that no text needs many.
  private mutating func settle(
    _ texts: [ContainerIndex: TextBuffer], by session: Session
  ) -> ChangeID? {
    var (texts, last) = (texts, ChangeID?.none)
    for _ in 0..<8 where !texts.isEmpty {
      let wanted = texts
      guard
        let made = try? makeChange(
          by: session, message: nil,
          { (editor: inout Editor) throws(HistoryError) in
            for (container, text) in wanted.sorted(by: { $0.key < $1.key }) {
              try editor.settle(container, as: text)
            }
          })
      else { return last }
      last = made.change ?? last
      texts = made.unsettled
    }
    return last
  }

  /// Makes a change.
  ///
  /// - Returns: its name, and the texts that show something else than they did in the closure, as
  ///   they were there.
  private mutating func makeChange<Failure>(
    by session: Session, message: String?, _ body: (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> (change: ChangeID?, unsettled: [ContainerIndex: TextBuffer]) {
    let (chainCount, lastChain) = (log.graph.chains.count, log.graph.chains.last)
    file.measureIfNearLimit()
    let names = session.author.utf8.count + (message?.utf8.count ?? 0)
    var editor = Editor(
      editor: takeState(for: session.agent, namesSize: names), passages: file.passages,
      redactionMarker: redactionMarker)
    do throws(Failure) {
      try body(&editor)
    } catch {
      editor.editor.giveUp()
      putBack(editor.editor)
      throw error
    }
    if editor.editor.isEmpty {
      putBack(editor.editor)
      return (nil, [:])
    }
    editor.editor.finish(time: session.time, author: session.author, message: message)
    let splices = editor.editor.splices
    putBack(editor.editor)
    let unsettled = notePassages(
      after: splices, expected: editor.passages, rawEdited: editor.rawEdited)
    if let redactionMarker { file.objects.redact(Redaction(of: redactionMarker, in: log)) }
    // Where the change goes on with the last chain, that stands differently in the file.
    let goesOn =
      lastChain.map { $0.end < log.graph.chains[ChainIndex(chainCount - 1)].end } ?? false
    file.layout?.keepChains(goesOn ? chainCount - 1 : chainCount)
    return (log.changeID(ofChange: log.graph.changes.upperBound - 1), unsettled)
  }

  /// Hands the state to an editor, which then is the only one that has it and edits it in place.
  private mutating func takeState(for agent: AgentID, namesSize: Int) -> ChangeEditor {
    var objects = Objects.empty
    var texts: [TextBuffer] = []
    swap(&objects, &file.objects)
    swap(&texts, &file.texts)
    return ChangeEditor(
      objects: consume objects, texts: consume texts, agent: agent, namesSize: namesSize)
  }

  /// Finds the passages of texts that were edited again, if they had some, or if lines came or went
  /// in a text that was edited concurrently: what stands between two lines is looked at together.
  ///
  /// A change that follows everything settles the passages that it meets, and leaves the others as
  /// they are. So nothing has to be found, which takes a walk over the whole history, unless lines
  /// came or went or the limits are near.
  ///
  /// - Returns: the texts that show something else than was expected, as they were expected; none of
  ///   those whose raw text was edited.
  private mutating func notePassages(
    after splices: [ChangeEditor.Splice], expected: [ContainerIndex: [TextPassage]],
    rawEdited: Set<ContainerIndex>
  ) -> [ContainerIndex: TextBuffer] {
    let isConcurrent = log.graph.chains.count > 1
    var edited = rawEdited.filter { isConcurrent || file.passages[$0] != nil }
    for splice in splices {
      if splice.changesLines {
        if isConcurrent || file.passages[splice.container] != nil {
          edited.insert(splice.container)
        }
      } else if file.passages[splice.container] != nil {
        let room = file.passageRoom[splice.container, default: 0] - splice.inserted
        file.passageRoom[splice.container] = max(room, 0)
        if room <= 0 { edited.insert(splice.container) }
      }
    }
    for splice in splices where !edited.contains(splice.container) {
      if file.passages[splice.container] != nil {
        file.passages[splice.container] = expected[splice.container]
      }
    }
    if edited.isEmpty { return [:] }
    var unsettled: [ContainerIndex: TextBuffer] = [:]
    let critical = CriticalVersions(of: log.graph)
    let walked = log.containersEditedConcurrently(critical.cuts).filter { edited.contains($0) }
    do throws(HistoryError) {
      for (container, found) in try log.passages(of: walked, raw: file.texts) {
        file.passages[container] = found.passages.isEmpty ? nil : found.passages
        file.passageRoom[container] = found.room
        let wanted = expected[container] ?? []
        if found.passages == wanted || rawEdited.contains(container) { continue }
        let raw = file.texts[container]
        let text = PassageMap(wanted).shown(from: raw)
        if PassageMap(found.passages).shown(from: raw) != text { unsettled[container] = text }
      }
    } catch {
      // A walk that takes more than the limits; the editor knows what it did.
      for container in walked { file.passages[container] = expected[container] }
    }
    return unsettled
  }

  private mutating func putBack(_ editor: ChangeEditor) {
    file.objects = editor.objects
    file.texts = editor.texts
  }
}
