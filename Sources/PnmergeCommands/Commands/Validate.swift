import ArgumentParser
import JSONSchema
import Peernote
import PeernoteJSON

struct Validate: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Check documents: bytes, log, replay and content.", takes: "<file> ...",
    """
    Prints each fault with its section, byte and change. A directory stands for the documents in \
    it. The status is 1 if faults were found, and 4, 5, 6 or 66 if a file cannot be read at all.

    Example:
      pnmerge validate *.peernote
    """)

  @Argument(help: .of("file", "Documents and directories; - is standard input."))
  var files: [FileName]

  @Flag(help: "Stop before the replay of the history.")
  var quick = false

  @OptionGroup var schema: SchemaOption

  @OptionGroup var options: ReportOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    try invocation.checkStandardInput(files + schema.files)
    let schema = try schema.schema(invocation)
    var objects: [JSON] = []
    let documents = try invocation.documentFiles(in: files, with: .histories)
    var status = try invocation.say(documents.failures)
    for (index, named) in documents.files.enumerated() {
      let file = try invocation.documentFile(of: named)
      invocation.console.progress(
        "checking \(index + 1) of \(documents.files.count): \(file.visible)")
      let check = try check(file, schema, invocation)
      status = max(status, check.status)
      if json {
        objects.append(check.json(file))
      } else {
        try report(check, of: file, invocation)
      }
    }
    if json { try invocation.console.printResult(["files": .array(objects)]) }
    return status
  }

  private func check(
    _ file: FileName, _ schema: Schema?, _ invocation: Invocation
  ) throws -> Check {
    let operand: Operand
    do {
      operand = try invocation.operand(file)
    } catch {
      guard error.status != .interrupted else { throw error }
      return Check(status: error.status, failure: error)
    }
    let findings = operand.findings(quick: quick)
    let remarks = operand.foreign?.remarks ?? []
    if findings.isEmpty, schema == nil { return Check(status: .done, remarks: remarks) }
    let isDamaged = findings.contains { $0.kind == .damaged }
    let hint = isDamaged ? damageHint(for: file, holding: operand.bytes) : nil
    // Faults in a document whose content can be read are one thing, no document another.
    do throws(Failure) {
      let root = try operand.root
      let violations = try schema.map { schema throws(Failure) in
        try schema.violations(in: content(of: file, root), of: file)
      }
      return Check(
        status: findings.isEmpty && violations?.isEmpty ?? true ? .done : .different,
        findings: findings, violations: violations, remarks: remarks, hint: hint)
    } catch {
      return Check(
        status: error.status, findings: findings, failure: error, hint: hint,
        isText: !operand.bytes.isEmpty && operand.bytes.beginsLikeText)
    }
  }

  /// What a schema is about: of a tracked file the JSON that it holds.
  private func content(of file: FileName, _ root: DocumentNode) throws(Failure) -> DocumentNode {
    guard let text = file.plainText(in: root) else { return root }
    let form = DocumentFormat(of: file.shown)
    guard form == .json else {
      throw Failure(.usage, file: file.shown, "is no JSON, which --schema is for")
    }
    if let fault = form.fault(in: text) { throw Failure(.different, file: file.shown, fault) }
    return try ValueType.json.content(of: text)
  }

  private func report(_ check: Check, of file: FileName, _ invocation: Invocation) throws {
    // Why a document cannot be read is among the findings.
    if let failure = check.failure, check.findings.isEmpty {
      try invocation.console.printError(failure.line)
    }
    if check.status == .done { try invocation.console.report("\(file.inputName): sound") }
    for remark in check.remarks { try invocation.console.report("\(file.inputName): \(remark)") }
    if check.isText, let hint = check.hint {
      let reason = "is text, not a peernote document"
      return try invocation.console.printResult("\(file.inputName): \(reason); \(hint)")
    }
    for finding in check.findings {
      try invocation.console.printResult("\(file.inputName): \(finding.description)")
    }
    if let hint = check.hint { try invocation.console.report("\(file.inputName): \(hint)") }
    for violation in check.violations ?? [] {
      try invocation.console.printResult(
        "\(file.inputName): schema: \(violation.description)")
    }
  }

  /// What came of the check of one file.
  private struct Check {
    var status: ExitStatus
    var findings: [DocumentError] = []
    /// Where the content is not as the schema says; `nil` without one.
    var violations: [Schema.Violation]?
    /// What is unusual, and harms nobody.
    var remarks: [String] = []
    /// Why the file is no document.
    var failure: Failure?
    /// What to do about the findings.
    var hint: String?
    /// Whether the file is text, which is no document.
    var isText = false

    func json(_ file: FileName) -> JSON {
      let places = violations?.map { violation -> JSON in
        ["path": .string(violation.place.description), "message": .string(violation.reason)]
      }
      return .object(present: [
        "file": .string(file.visible), "status": .integer(Int64(status.rawValue)),
        "error": .optional(failure?.message), "findings": .array(findings.map(\.json)),
        "schema_violations": places.map { .array($0) },
      ])
    }
  }
}

extension DocumentError {
  /// The finding for programs.
  var json: JSON {
    [
      "section": .string(section?.rawValue ?? ""), "offset": offset.map(JSON.count) ?? .null,
      "change": .optional(change?.description), "message": .string(reason),
    ]
  }
}
