import ArgumentParser
import JSONSchema
import Peernote
import PeernoteJSON

/// The options that name a schema and those that it refers to.
struct SchemaOption: ParsableArguments {
  @Option(
    name: .customLong("schema"),
    help: .of("file", "Check the result against this JSON Schema."))
  var file: FileName?

  @Option(
    name: .customLong("schema-ref"),
    help: .of("file", "A file that the schema refers to; repeatable."))
  var references: [FileName] = []

  func validate() throws {
    if file == nil, !references.isEmpty { throw ValidationError("Give the --schema, too.") }
  }

  var files: [FileName] { [file].compactMap(\.self) + references }

  /// Reads the schema; `nil` if there is none.
  func schema(_ invocation: Invocation) throws(Failure) -> Schema? {
    guard let file else { return nil }
    let schema = try document(file, invocation)
    let others = try references.map { (file) throws(Failure) in try document(file, invocation) }
    do throws(Schema.Fault) {
      return try Schema(schema.json, uri: schema.uri, others: others)
    } catch {
      let hint = error.missingSchema == nil ? "" : "; give its file with --schema-ref"
      throw Failure(
        .unreadable, file: files[error.document],
        "is not a schema that can be used: \(error)\(hint)")
    }
  }

  private func document(
    _ file: FileName, _ invocation: Invocation
  ) throws(Failure) -> SchemaDocument {
    let bytes = try invocation.readBytes(file)
    let json: JSON
    do {
      json = try JSONReader.value(in: bytes)
    } catch {
      throw Failure(.unreadable, file: file, error.description)
    }
    // A pipe has no name that anything could be relative to.
    guard !file.isStandardStream, let path = try? invocation.host.resolved(file), path.isAbsolute
    else { return SchemaDocument(uri: "", json: json) }
    return SchemaDocument(path: path.bytes, json: json)
  }
}

extension Schema {
  /// The most violations that one line names.
  private static let namedCount = 3

  /// Refuses a content that breaks the schema where the old one did not.
  func check(_ new: DocumentNode, replacing old: DocumentNode?, in file: FileName) throws(Failure) {
    let found = try violations(in: new, of: file)
    if found.isEmpty { return }
    let known = try old.map { old throws(Failure) in Set(try violations(in: old, of: file)) } ?? []
    let fresh = found.filter { !known.contains($0) }
    if fresh.isEmpty { return }
    let named = fresh.prefix(Self.namedCount).map(\.description)
    let more = fresh.count > named.count ? ["\(fresh.count - named.count) more"] : []
    throw Failure(
      .different, file: file,
      "would break the schema: \((named + more).joined(separator: "; ")); nothing was written")
  }

  /// The places where the content of a file is not as the schema says.
  func violations(in content: DocumentNode, of file: FileName) throws(Failure) -> [Violation] {
    do {
      return try violations(in: content.json)
    } catch {
      throw Failure(.unreadable, file: file, "cannot be checked against the schema: \(error)")
    }
  }
}
