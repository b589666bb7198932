import Peernote
import PeernoteJSON

/// What somebody decided on the page of a review, in a file of JSON; pnmerge(1), "DECISIONS".
package struct DecisionFile {
  /// A place that was decided.
  struct Entry {
    var kind: String
    var id: String
    var path: String
    var answer: Answer
  }

  /// How a place was decided.
  enum Answer: Hashable {
    case party(Review.Party)
    /// A side, by its number from 0.
    case side(Int)
    case both
    case before
    /// What somebody made of the present content; see ``Peernote/Node/draft``.
    case edited(String)
  }

  /// The document that was reviewed.
  private(set) var document: UniqueID
  /// The heads of each copy, the one that is merged into first.
  private(set) var copies: [[ChangeID]]
  private(set) var entries: [Entry]
  /// Where it was read from, for messages.
  let file: FileName

  /// Reads decisions.
  ///
  /// - Parameters:
  ///   - file: where they stand.
  ///   - invocation: the run of the program.
  /// - Throws: ``Failure`` with the place of the first fault.
  init(reading file: FileName, _ invocation: Invocation) throws(Failure) {
    try self.init(invocation.readBytes(file), from: file)
  }

  /// Reads the bytes of a file.
  package init(_ bytes: [UInt8], from file: FileName) throws(Failure) {
    self.file = file
    let json: JSON
    do throws(JSONReader.Fault) {
      json = try JSONReader.value(in: bytes)
    } catch {
      throw Failure(.unreadable, file: file, "\(error); decisions are JSON; nothing was written")
    }
    do throws(ExactJSON.Fault) {
      let top = try DecisionObject(
        json, JSONPointer(), ["schema", "document", "copies", "decisions"])
      guard try top["schema"] == 1 else { throw top.fault("schema", "must be 1") }
      guard case .string(let id) = try top["document"], let document = UniqueID(id) else {
        throw top.fault("document", "must be a UUID")
      }
      self.document = document
      copies = try top.list("copies", Self.heads)
      if copies.count < 2 { throw top.fault("copies", "must be two or more") }
      entries = try top.list("decisions", Self.entry)
      var known: Set<[String]> = []
      for (index, entry) in entries.enumerated()
      where !known.insert([entry.kind, entry.id, entry.path]).inserted {
        throw ExactJSON.Fault(
          JSONPointer(["decisions", String(index)]), "decides a place a second time")
      }
    } catch {
      throw Failure(.unreadable, file: file, "\(error); nothing was written")
    }
  }

  private static func heads(
    _ json: JSON, _ path: JSONPointer
  ) throws(ExactJSON.Fault) -> [ChangeID] {
    guard case .array(let elements) = json else {
      throw ExactJSON.Fault(path, "must be an array of IDs of changes")
    }
    var heads: [ChangeID] = []
    for element in elements {
      guard case .string(let text) = element, let change = ChangeID(text) else {
        throw ExactJSON.Fault(path, "must be an array of IDs of changes")
      }
      heads.append(change)
    }
    return heads
  }

  private static func entry(
    _ json: JSON, _ path: JSONPointer
  ) throws(ExactJSON.Fault) -> Entry {
    let object = try DecisionObject(json, path, ["kind", "id", "path"], oneOf: ["take", "edited"])
    let answer: Answer
    if object.has("edited") {
      answer = .edited(try object.string("edited"))
    } else {
      switch try object["take"] {
      case "mine": answer = .party(.mine)
      case "theirs": answer = .party(.theirs)
      case "both": answer = .both
      case "before": answer = .before
      case .integer(let number) where number > 0 && number < Int32.max:
        answer = .side(Int(number) - 1)
      default:
        throw object.fault(
          "take", "must be \"mine\", \"theirs\", \"both\", \"before\" or the number of a side")
      }
    }
    return Entry(
      kind: try object.string("kind"), id: try object.string("id"),
      path: try object.string("path"), answer: answer)
  }
}

/// An object of which all members are known.
private struct DecisionObject {
  private let members: [JSON.Member]
  private let path: JSONPointer

  /// - Throws: ``ExactJSON/Fault`` unless it is an object with these members, one of `choices` if
  ///   there are any, and no others.
  init(
    _ json: JSON, _ path: JSONPointer, _ names: [String], oneOf choices: [String] = []
  ) throws(ExactJSON.Fault) {
    guard case .object(let members) = json else {
      throw ExactJSON.Fault(path, "must be an object")
    }
    (self.members, self.path) = (members, path)
    for member in members where !(names + choices).contains(member.name) {
      throw ExactJSON.Fault(
        path,
        "unknown member \(quoted(member.name)); the members are \(enumerated(names + choices))")
    }
    for name in names where !has(name) {
      throw ExactJSON.Fault(path, "the member \"\(name)\" is missing")
    }
    if !choices.isEmpty, choices.count(where: has) != 1 {
      let list = choices.map { "\"\($0)\"" }.joined(separator: " or ")
      throw ExactJSON.Fault(path, "must have one member \(list)")
    }
  }

  func has(_ name: String) -> Bool { members.contains { $0.name == name } }

  subscript(name: String) -> JSON {
    get throws(ExactJSON.Fault) {
      guard let member = members.first(where: { $0.name == name }) else {
        throw ExactJSON.Fault(path, "the member \"\(name)\" is missing")
      }
      return member.value
    }
  }

  func string(_ name: String) throws(ExactJSON.Fault) -> String {
    guard case .string(let text) = try self[name] else { throw fault(name, "must be a string") }
    return text
  }

  func list<Element>(
    _ name: String, _ read: (JSON, JSONPointer) throws(ExactJSON.Fault) -> Element
  ) throws(ExactJSON.Fault) -> [Element] {
    guard case .array(let elements) = try self[name] else {
      throw fault(name, "must be an array")
    }
    var result: [Element] = []
    for (index, element) in elements.enumerated() {
      result.append(try read(element, path.appending(name).appending(String(index))))
    }
    return result
  }

  func fault(_ name: String, _ reason: String) -> ExactJSON.Fault {
    ExactJSON.Fault(path.appending(name), reason)
  }
}
