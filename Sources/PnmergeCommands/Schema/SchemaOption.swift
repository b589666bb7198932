import ArgumentParser
import Peernote

/// The option that names a schema.
struct SchemaOption: ParsableArguments {
  @Option(
    name: .customLong("schema"),
    help: ArgumentHelp(
      "Refuse what would not be as this JSON Schema says any more.", valueName: "file"))
  var file: FileName?

  /// Reads the schema; `nil` if there is none.
  ///
  /// - Throws: ``Failure`` if it cannot be read or used.
  func schema(_ invocation: Invocation) throws(Failure) -> Schema? {
    try Self.schema(in: file, invocation)
  }

  /// Reads a schema; `nil` if no file is named.
  ///
  /// - Throws: ``Failure`` if it cannot be read or used.
  static func schema(
    in file: FileName?, _ invocation: Invocation
  ) throws(Failure) -> Schema? {
    guard let file else { return nil }
    let bytes = try invocation.readBytes(file)
    let json: JSON
    do {
      json = try JSONReader.value(in: bytes)
    } catch {
      throw Failure(.unreadable, file: file, error.description)
    }
    do {
      return try Schema(json)
    } catch {
      throw Failure(.unreadable, file: file, "is no schema that can be used: \(error)")
    }
  }
}

extension Schema {
  /// The most violations that one line names.
  private static let namedCount = 3

  /// Refuses a content that breaks the schema where the old one did not.
  ///
  /// - Parameters:
  ///   - new: what is to be written.
  ///   - old: what stands there now; `nil` if there is nothing.
  ///   - file: the document's file, for the message.
  /// - Throws: ``Failure`` with status 1.
  func check(_ new: Node, replacing old: Node?, in file: FileName) throws(Failure) {
    let found = try violations(in: new, of: file)
    if found.isEmpty { return }
    var known: Set<Violation> = []
    if let old { known = Set(try violations(in: old, of: file)) }
    let fresh = found.filter { !known.contains($0) }
    if fresh.isEmpty { return }
    let named = fresh.prefix(Self.namedCount).map(\.description)
    let more = fresh.count > named.count ? ["\(fresh.count - named.count) more"] : []
    throw Failure(
      .different, file: file,
      "would break the schema: \((named + more).joined(separator: "; ")); nothing was written")
  }

  /// The places where the content of a file is not as the schema says.
  ///
  /// - Throws: ``Failure`` if that takes too long to find out.
  func violations(in content: Node, of file: FileName) throws(Failure) -> [Violation] {
    do {
      return try violations(in: content)
    } catch {
      throw Failure(.unreadable, file: file, "cannot be held against the schema: \(error)")
    }
  }
}
