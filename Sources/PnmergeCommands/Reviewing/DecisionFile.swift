import Peernote
import PeernoteJSON

/// What somebody decided on a page, or answered before breaking off, in a file of JSON;
/// pnmerge-json(5), "DECISIONS".
package struct DecisionFile {
  /// What tells a place apart, and how it was decided: by a choice, or by what somebody wrote.
  struct Decision: Codable, Hashable {
    var kind: String
    /// Which one it is, where several are at a path.
    var id: String
    var path: String
    var take: String?
    var edited: String?
  }

  struct Part: Codable {
    var document: String
    /// The heads of the merged document that was reviewed.
    var version: [String]
    /// The heads of what it was when the copies parted; `nil` if nothing was merged.
    var since: [String]?
    var decisions: [Decision] = []
  }

  fileprivate struct Content: Codable {
    var schema = 2
    var documents: [Part]
  }

  private(set) var parts: [Part]
  /// Where it was read from, for messages.
  let file: FileName

  /// Reads the bytes of a file; throws the first fault with its place.
  package init(_ bytes: [UInt8], from file: FileName) throws(Failure) {
    self.file = file
    do {
      let node = try DocumentNode(try JSONReader.value(in: bytes), as: .plain)
      let content = try PeernoteDecoder().decode(Content.self, from: node)
      parts = content.documents
      guard content.schema == 2 else { throw JSONError.noContent(["schema"], reason: "must be 2") }
    } catch {
      throw Failure(
        .unreadable, file: file, "\(error); decisions are JSON of a page; nothing was written")
    }
  }

  // MARK: Applying

  /// Makes the decisions of several people about one merge, with a sentence for each place that was
  /// decided in several ways.
  ///
  /// What all agree on who decided a place is decided, what they do not is left open. Throws if
  /// they are about something else, or something is decided that cannot be.
  static func apply(_ files: [DecisionFile], to review: inout Review) throws(Failure) -> [String] {
    let names = review.documents.map(\.merged.id.description)
    var spots: [[Decision: Int]] = names.map { _ in [:] }
    for (index, place) in review.places.enumerated().reversed() {
      spots[place.document][place.id] = index
    }
    var answers: [Int: [(file: FileName, choice: Review.Choice)]] = [:]
    for file in files {
      for (member, part) in file.parts.enumerated() {
        guard let number = names.lastIndex(of: part.document) else {
          throw Failure(
            .notSameDocument, file: file.file,
            "is about another document (\(quoted(part.document, limit: 40))); nothing was written")
        }
        try file.check(part, review.documents[number])
        var decided: Set<Int> = []
        for (entry, decision) in part.decisions.enumerated() {
          do throws(Failure) {
            let place = Decision(kind: decision.kind, id: decision.id, path: decision.path)
            guard let index = spots[number][place] else {
              throw Failure(
                .unreadable, "\(quoted(decision.path)) is no conflict of this merge")
            }
            guard decided.insert(index).inserted else {
              throw Failure(.unreadable, "a place is decided a second time")
            }
            answers[index, default: []].append((file.file, try review.choice(decision, at: index)))
          } catch {
            throw Failure(
              .unreadable, file: file.file,
              "at /documents/\(member)/decisions/\(entry): \(error.message); nothing was written")
          }
        }
      }
    }
    var agreed: [(index: Int, choice: Review.Choice)] = []
    var sentences: [String] = []
    for (index, answers) in answers.sorted(by: { $0.key < $1.key }) {
      let first = answers[0].choice
      if answers.allSatisfy({ $0.choice.key == first.key && $0.choice.content == first.content }) {
        agreed.append((index, first))
        continue
      }
      let who = answers.map { answer in
        "\(answer.choice.content.preview) by \(answer.file.inputName)"
      }
      sentences.append("\(review.places[index].name.words) is decided as \(enumerated(who))")
    }
    review.choose(agreed)
    return sentences
  }

  /// Refuses decisions about another version than the one under review.
  private func check(_ part: Part, _ document: ReviewedDocument) throws(Failure) {
    let merged = document.merged
    if Set(merged.heads.map(\.description)) == Set(part.version) { return }
    let version = part.version.map { ChangeID($0) }
    let (name, own) = (document.file.shown, shellQuoted(file))
    guard version.allSatisfy({ $0.map(merged.contains) ?? false }) else {
      throw Failure(
        .different, file: name,
        "lacks changes of the merge that was decided; to merge and decide at once: pnmerge review "
          + "--apply \(own) \(shellQuoted(name)) COPY; nothing was written")
    }
    let tally = ChangeTally(
      authors: merged.changes(since: version.compactMap(\.self)).map(\.author))
    throw Failure(
      .different, file: name,
      "has moved on since \(file.inputName) was decided, by \(tally.summary); make the page again "
        + "with 'pnmerge review --html', or settle what is left with 'pnmerge resolve'; nothing was "
        + "written")
  }

  // MARK: Writing

  /// What is decided of a document, as it stands in a file.
  static func part(of number: Int, in review: Review) -> Part {
    func heads(_ document: Document) -> [String] { document.heads.sorted().map(\.description) }
    let document = review.documents[number]
    var part = Part(
      document: document.merged.id.description, version: heads(document.merged),
      since: document.parting.map(heads))
    for (index, place) in review.places.enumerated() {
      guard place.document == number, let choice = review.chosen[index] else { continue }
      var decision = place.id
      if choice.key == "edited" {
        decision.edited = choice.content?.draft
      } else {
        decision.take = choice.key
      }
      part.decisions.append(decision)
    }
    return part
  }

  /// The JSON of something that stands in such a file.
  static func json(_ content: some Encodable) -> String {
    let node = try? PeernoteEncoder().node(for: content)
    return String(decoding: node?.json.bytes() ?? [], as: UTF8.self)
  }
}

extension Review {
  /// What a decision of a file stands for; throws a ``Failure`` that says why if that is nothing.
  fileprivate func choice(
    _ decision: DecisionFile.Decision, at index: Int
  ) throws(Failure) -> Choice {
    switch (decision.take, decision.edited) {
    case (let take?, nil):
      if let choice = places[index].choices.first(where: { $0.key == take }) { return choice }
      throw Failure(.unreadable, "there is no choice \(quoted(take)) at \(decision.path)")
    case (nil, let text?):
      guard let shown = places[index].shown else {
        throw Failure(.unreadable, "nothing stands there that could be edited")
      }
      if let choice = edited(try shown.written(as: text) ?? shown, at: index) { return choice }
      throw Failure(.unreadable, "nothing can be written there")
    case (nil, nil), (_?, _?):
      throw Failure(.unreadable, "there must be one member \"take\" or \"edited\"")
    }
  }
}

/// Answers of somebody who broke off a review, kept on this machine until the next one.
extension ReviewRun {
  private func answers(of document: Document) -> FileName? {
    (try? StateDirectory.name(invocation.host))?
      .appending("reviews").appending("\(document.id).json")
  }

  /// Takes up what was kept of a review of the same documents, and gives how many answers that
  /// were.
  mutating func takeAnswers() -> Int {
    for file in review.documents.compactMap({ answers(of: $0.merged) }) {
      guard let contents = try? invocation.host.read(file, limit: Invocation.inputLimit),
        let decisions = try? DecisionFile(contents.bytes, from: file)
      else { continue }
      _ = try? DecisionFile.apply([decisions], to: &review)
    }
    return review.chosen.count
  }

  /// Keeps what was decided for the next time, or nothing any more.
  func keepAnswers(_ areWanted: Bool) throws {
    for (number, document) in review.documents.enumerated() {
      guard let file = answers(of: document.merged) else { continue }
      guard areWanted, !review.answers(of: number).chosen.isEmpty else {
        try? invocation.host.remove(file)
        continue
      }
      try file.creating(invocation.host.makeDirectories(file.directory))
      let content = DecisionFile.Content(documents: [DecisionFile.part(of: number, in: review)])
      _ = try Replacement(ofState: file, host: invocation.host) { _ in
        Replacement.Proposal(Array(DecisionFile.json(content).utf8), report: ())
      }
    }
  }
}

extension Review.Place {
  /// What tells the place apart in decisions.
  var id: DecisionFile.Decision {
    var id = DecisionFile.Decision(kind: "change", id: "", path: path.description)
    if let conflict { (id.kind, id.id) = (conflict.kind.rawValue, conflict.id) }
    switch change?.kind {
    case .text: id.id = "\(scalars?.lowerBound ?? 0)"
    case .memberAdded, .memberRemoved:
      let value = change?.new ?? change?.old
      id.id = String(decoding: value?.exactJSON.bytes() ?? [], as: UTF8.self)
    case .moved, .removed: id.id = change?.shifted?.description ?? ""
    case .added, .replaced, .counted, nil: break
    }
    return id
  }
}
