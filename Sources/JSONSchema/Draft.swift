/// An edition of JSON Schema, which says what the keywords of a schema mean.
enum Draft: CaseIterable, Comparable {
  case draft4, draft6, draft7, draft2019, draft2020

  /// The draft of schemas that don't name theirs.
  static let latest = Draft.draft2020

  /// How people name it.
  var name: String { String(path.map { $0 == "/" ? " " : $0 }) }

  /// How the address of its meta-schema names it.
  private var path: String {
    switch self {
    case .draft4: "draft-04"
    case .draft6: "draft-06"
    case .draft7: "draft-07"
    case .draft2019: "draft/2019-09"
    case .draft2020: "draft/2020-12"
    }
  }

  /// The draft that a `$schema` names; `nil` for another meta-schema.
  init?(metaschema text: String) {
    for draft in Draft.allCases {
      for scheme in ["http", "https"] {
        let address = "\(scheme)://json-schema.org/\(draft.path)/schema"
        guard text == address || text == address + "#" else { continue }
        self = draft
        return
      }
    }
    return nil
  }

  /// The keyword that names a schema.
  var identifier: String { self == .draft4 ? "id" : "$id" }

  /// Whether `$ref` makes all that stands beside it meaningless.
  var referencesStandAlone: Bool { self <= .draft7 }
}
