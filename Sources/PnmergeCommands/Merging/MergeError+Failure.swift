package import Peernote

extension MergeError {
  /// How to go on with two different documents.
  static func wayOut(ofDifferent file: FileName, comparedWith base: FileName) -> String {
    let names = "\(shellQuoted(base)) \(shellQuoted(file))"
    return "if both were made of one text, join them: pnmerge adopt \(names); to compare them: "
      + "pnmerge diff \(names)"
  }

  /// How to go on with two files of one identity that have no change in common.
  static func wayOut(ofUnrelated file: FileName, comparedWith base: FileName) -> String {
    let (name, baseName) = (shellQuoted(file), shellQuoted(base))
    return "to join what they hold, in both: pnmerge adopt \(baseName) \(name) && "
      + "pnmerge adopt \(name) \(baseName)"
  }

  /// The failure to report when the document in `file` is not a copy of the one in `base`.
  package func failure(
    _ file: FileName, _ document: Document, comparedWith base: FileName, _ baseDocument: Document
  ) -> Failure {
    switch self {
    case .differentDocument:
      Failure(
        .notSameDocument,
        "\(file.inputName) is a different document \(titleAndID(document.id, document.root)), not a "
          + "copy of \(base.inputName) \(titleAndID(baseDocument.id, baseDocument.root)); "
          + "nothing was written; \(Self.wayOut(ofDifferent: file, comparedWith: base))")
    case .noSharedHistory:
      Failure(
        .notSameDocument,
        "\(file.inputName) has no history in common with \(base.inputName), though both say they "
          + "are document \(document.id.shortText), as of copies of an empty one; they cannot be merged; nothing "
          + "was written; \(Self.wayOut(ofUnrelated: file, comparedWith: base))")
    case .sharedHistory:
      Failure(
        .usage, file: file,
        "is a copy of \(base.inputName) already; to merge them: pnmerge merge \(shellQuoted(base)) "
          + "\(shellQuoted(file)); nothing was written")
    case .forked(let change, let reason):
      Failure(
        .forkedHistory,
        "\(file.inputName) disagrees with \(base.inputName) on change \(change), which differs in its "
          + "\(reason); nothing was written; "
          + "see which is right with 'pnmerge log' and 'pnmerge cat', and leave the other out, or what "
          + "depends on it with 'pnmerge merge --without \(change.agent)'")
    case .filled(by: let change, let error):
      Failure(
        error.kind.status, file: baseDocument.contains(change) ? base : file,
        "\(error); 'pnmerge merge --without \(change.agent)' leaves them out; nothing was written")
    case .damaged(let error) where error.section == "view":
      Failure(
        error.kind.status, file: file,
        "\(error) (\(base.inputName) is the other); look at both ('pnmerge diff'), and go on without "
          + "the wrong one; nothing was written")
    case .damaged(let error) where error.kind == .limit:
      baseDocument.effort > document.effort
        ? tooMuch(error, base, besides: file) : tooMuch(error, file, besides: base)
    case .damaged(let error):
      Failure(error.kind.status, file: file, "\(error); nothing was written")
    }
  }

  private func tooMuch(
    _ error: DocumentError, _ file: FileName, besides other: FileName
  ) -> Failure {
    Failure(
      error.kind.status, file: file,
      "\(error); this copy takes more of it than \(other.inputName): look at it ('pnmerge log'), "
        + "and go on without it, or leave an agent's changes out ('pnmerge merge --without AGENT'); "
        + "nothing was written")
  }
}
