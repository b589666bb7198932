import Peernote
import PeernoteJSON

/// What somebody decided on a page, or answered before breaking off, in a file of JSON;
/// pnmerge-json(5), "DECISIONS".
package struct DecisionFile {
  /// A place that was decided.
  struct Entry {
    /// Its kind, name and path.
    var place: [String]
    /// The name of a choice; `nil` if somebody wrote what is to stand there.
    var take: String?
    var edited: String?
    /// Where it stands in the file.
    var spot: JSONPointer
  }

  /// What was decided of a document.
  struct Part {
    var id: UniqueID
    /// The heads of the merged document that was reviewed.
    var version: [ChangeID]
    /// The heads of what it was when the copies parted; `nil` if nothing was merged.
    var since: [ChangeID]?
    var entries: [Entry] = []
  }

  private(set) var parts: [Part]
  /// Where it was read from, for messages.
  let file: FileName

  /// Reads decisions.
  ///
  /// - Throws: ``Failure`` with the place of the first fault.
  init(reading file: FileName, _ invocation: Invocation) throws(Failure) {
    try self.init(invocation.readBytes(file), from: file)
  }

  /// Reads the bytes of a file.
  package init(_ bytes: [UInt8], from file: FileName) throws(Failure) {
    self.file = file
    do {
      let top = DecisionJSON(value: try JSONReader.value(in: bytes), path: JSONPointer())
      guard try top.member("schema").value == 2 else {
        throw ExactJSON.Fault(JSONPointer(["schema"]), "must be 2")
      }
      parts = try top.elements("documents") { part throws(ExactJSON.Fault) in
        guard let id = UniqueID(try part.string("document")) else {
          throw try part.member("document").fault("must be a UUID")
        }
        func heads(_ name: String) throws(ExactJSON.Fault) -> [ChangeID] {
          try part.elements(name) { head throws(ExactJSON.Fault) in
            guard let change = ChangeID(try head.string()) else {
              throw head.fault("must be the ID of a change")
            }
            return change
          }
        }
        var known: Set<[String]> = []
        let entries = try part.elements("decisions") { entry throws(ExactJSON.Fault) in
          let place = [
            try entry.string("kind"), try entry.string("id"), try entry.string("path"),
          ]
          let (take, edited) = (entry.optional("take"), entry.optional("edited"))
          guard (take == nil) != (edited == nil) else {
            throw entry.fault("must have one member \"take\" or \"edited\"")
          }
          if !known.insert(place).inserted { throw entry.fault("decides a place a second time") }
          return Entry(
            place: place, take: try take?.string(), edited: try edited?.string(), spot: entry.path)
        }
        return Part(
          id: id, version: try heads("version"),
          since: part.optional("since") == nil ? nil : try heads("since"), entries: entries)
      }
    } catch {
      throw Failure(
        .unreadable, file: file, "\(error); decisions are JSON of a page; nothing was written")
    }
  }

  // MARK: Applying

  /// Makes the decisions of several people about one merge.
  ///
  /// What all agree on who decided a place is decided, what they do not is left open.
  ///
  /// - Parameters:
  ///   - files: the decisions.
  ///   - review: the review of the same merge.
  /// - Returns: a sentence for each place that was decided in several ways.
  /// - Throws: ``Failure`` if they are about something else, or something is decided that cannot be.
  static func apply(_ files: [DecisionFile], to review: inout Review) throws(Failure) -> [String] {
    var numbers: [UniqueID: Int] = [:]
    for (number, document) in review.documents.enumerated() {
      numbers[document.merged.id] = number
    }
    var answers: [Int: [(file: FileName, choice: Review.Choice)]] = [:]
    for file in files {
      for part in file.parts {
        guard let number = numbers[part.id] else {
          throw Failure(
            .notSameDocument, file: file.file,
            "is about another document (\(part.id.shortText)); nothing was written")
        }
        try file.check(part, review.documents[number])
        for entry in part.entries {
          let (index, choice) = try file.choice(entry, of: number, in: review)
          answers[index, default: []].append((file.file, choice))
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
        let what = answer.choice.content?.preview ?? "nothing"
        return "\(what) by \(answer.file.inputName)"
      }
      sentences.append("\(review.places[index].name.words) is decided as \(enumerated(who))")
    }
    review.choose(agreed)
    return sentences
  }

  /// Refuses decisions about another version than the one under review.
  private func check(_ part: Part, _ document: ReviewedDocument) throws(Failure) {
    let merged = document.merged
    if Set(merged.heads) == Set(part.version) { return }
    let (name, own) = (document.file.shown, shellQuoted(file))
    guard part.version.allSatisfy({ merged.contains($0) }) else {
      throw Failure(
        .different, file: name,
        "lacks changes of the merge that was decided; to merge and decide at once: pnmerge review "
          + "--apply \(own) \(shellQuoted(name)) COPY; nothing was written")
    }
    let tally = ChangeTally(authors: merged.changes(since: part.version).map(\.author))
    throw Failure(
      .different, file: name,
      "has moved on since \(file.inputName) was decided, by \(tally.summary); make the page again "
        + "with 'pnmerge review --html', or settle what is left with 'pnmerge resolve'; nothing was "
        + "written")
  }

  /// What an entry stands for.
  private func choice(
    _ entry: Entry, of document: Int, in review: Review
  ) throws(Failure) -> (Int, Review.Choice) {
    func fault(_ reason: String) -> Failure {
      Failure(.unreadable, file: file, "at \(entry.spot): \(reason); nothing was written")
    }
    let found = review.places.indices.first {
      review.places[$0].document == document && review.places[$0].id == entry.place
    }
    guard let index = found else {
      throw fault("\(quoted(entry.place[2])) is not to be decided in this merge")
    }
    if let take = entry.take {
      guard let choice = review.places[index].choices.first(where: { $0.key == take }) else {
        throw fault("there is no choice \(quoted(take)) at \(entry.place[2])")
      }
      return (index, choice)
    }
    guard let shown = review.places[index].shown else {
      throw fault("nothing stands there that could be edited")
    }
    let node: Node?
    do throws(Failure) {
      node = try shown.written(as: entry.edited ?? "")
    } catch {
      throw fault(error.message)
    }
    guard let choice = review.edited(node ?? shown, at: index) else {
      throw fault("nothing can be written there")
    }
    return (index, choice)
  }

  // MARK: Writing

  /// What is decided of a document, as it stands in a file.
  static func json(of number: Int, in review: Review, withDecisions: Bool = true) -> JSON {
    let document = review.documents[number].merged
    func heads(_ document: Document) -> JSON {
      .array(document.heads.sorted().map { .string($0.description) })
    }
    let since = review.documents[number].parting.map {
      [JSON.Member(name: "since", value: heads($0))]
    }
    let decided = review.places.indices.filter {
      withDecisions && review.places[$0].document == number && review.chosen[$0] != nil
    }
    let decisions = decided.map { index -> JSON in
      guard let choice = review.chosen[index],
        case .object(let members) = review.places[index].json
      else { return .null }
      return .object(
        members + [
          choice.key == "edited"
            ? JSON.Member(name: "edited", value: .string(choice.content?.draft ?? ""))
            : JSON.Member(name: "take", value: .string(choice.key))
        ])
    }
    return .object(
      [
        JSON.Member(name: "document", value: .string(document.id.description)),
        JSON.Member(name: "version", value: heads(document)),
      ] + (since ?? []) + [JSON.Member(name: "decisions", value: .array(decisions))])
  }
}

/// Answers of somebody who broke off a review, kept on this machine until the next one.
struct KeptAnswers {
  let invocation: Invocation

  private func file(of document: Document) -> FileName? {
    (try? StateDirectory.name(invocation.host))?
      .appending("reviews").appending("\(document.id).json")
  }

  /// Takes up what was kept of a review of the same documents.
  ///
  /// - Returns: how many answers that were.
  func take(into review: inout Review) -> Int {
    let files = review.documents.compactMap { document -> DecisionFile? in
      guard let file = file(of: document.merged),
        let contents = try? invocation.host.read(file, limit: Invocation.inputLimit)
      else { return nil }
      return try? DecisionFile(contents.bytes, from: file)
    }
    var taken = review
    for file in files { _ = try? DecisionFile.apply([file], to: &taken) }
    review = taken
    return review.chosen.count { $0 != nil }
  }

  /// Keeps what was decided, or nothing any more.
  func keep(_ review: Review?, of documents: [ReviewedDocument]) throws {
    for (number, document) in documents.enumerated() {
      guard let file = file(of: document.merged) else { continue }
      guard let review, review.answers(of: number).chosen.isEmpty == false else {
        try? invocation.host.remove(file)
        continue
      }
      do throws(HostError) {
        try invocation.host.makeDirectories(file.directory)
      } catch {
        throw error.whileCreating(file)
      }
      let json: JSON = ["schema": 2, "documents": [DecisionFile.json(of: number, in: review)]]
      _ = try Replacement(of: file, expecting: .any, host: invocation.host) { _ in
        Replacement.Proposal(bytes: json.encoded(), report: ())
      }
    }
  }
}

extension Review.Place {
  /// What tells the place apart in decisions: kind, name and path.
  var id: [String] {
    let path = path.description
    if let conflict { return [conflict.kind.rawValue, conflict.id, path] }
    let name: String
    switch change?.action {
    case .text: name = "\(scalars?.lowerBound ?? 0)"
    case .memberAdded(let value), .memberRemoved(let value):
      name = String(decoding: Node.value(value).exactJSON.encoded(), as: UTF8.self)
    case .added, .removed, .replaced, .moved, .counted, nil: name = ""
    }
    return ["change", name, path]
  }

  /// The same for programs.
  var json: JSON {
    let id = id
    return ["kind": .string(id[0]), "id": .string(id[1]), "path": .string(id[2])]
  }
}

/// A part of a file of decisions, with the way to it.
private struct DecisionJSON {
  let value: JSON
  let path: JSONPointer

  func fault(_ reason: String) -> ExactJSON.Fault { ExactJSON.Fault(path, reason) }

  func optional(_ name: String) -> DecisionJSON? {
    guard case .object(let members) = value,
      let member = members.first(where: { $0.name == name })
    else { return nil }
    return DecisionJSON(value: member.value, path: path.appending(name))
  }

  func member(_ name: String) throws(ExactJSON.Fault) -> DecisionJSON {
    guard case .object = value else { throw fault("must be an object") }
    guard let member = optional(name) else { throw fault("the member \"\(name)\" is missing") }
    return member
  }

  func string(_ name: String) throws(ExactJSON.Fault) -> String { try member(name).string() }

  func string() throws(ExactJSON.Fault) -> String {
    guard case .string(let text) = value else { throw fault("must be a string") }
    return text
  }

  func elements<Element>(
    _ name: String, _ read: (DecisionJSON) throws(ExactJSON.Fault) -> Element
  ) throws(ExactJSON.Fault) -> [Element] {
    let list = try member(name)
    guard case .array(let elements) = list.value else { throw list.fault("must be an array") }
    var result: [Element] = []
    for (index, element) in elements.enumerated() {
      result.append(
        try read(DecisionJSON(value: element, path: list.path.appending(String(index)))))
    }
    return result
  }
}
