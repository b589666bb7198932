/// The attributes of one file that matter to documents.
struct GitAttributes {
  fileprivate var values: [String: String] = [:]

  static let names: [FileName] = ["merge", "diff", "text", "filter"]

  private subscript(name: String) -> String { values[name] ?? "unspecified" }

  /// What is wrong about them.
  func troubles(
    _ configuration: GitConfiguration
  ) -> [(state: GitCheckup.State, sentence: String)] {
    var troubles: [(GitCheckup.State, String)] = []
    let merge = self["merge"]
    let isDefault =
      merge == "unspecified" && configuration["merge.default"]?.text == GitSettings.name
    if merge != GitSettings.name, !isDefault {
      switch merge {
      case "unspecified", "unset":
        troubles.append(
          (.missing, "no attribute merge=peernote, so that the driver is not used"))
      case "set", "union":
        troubles.append((.danger, "the attribute merge=\(merge) merges documents by lines"))
      default:
        troubles.append((.danger, "the attribute merge=\(merge) names another driver"))
      }
    }
    switch self["text"] {
    case "unset": break
    case "set":
      troubles.append(
        (.danger, "the attribute text lets git convert line ends, which damages documents"))
    default:
      let converts = configuration["core.autocrlf"].map { $0.text != "false" } ?? false
      troubles.append(
        (
          converts ? .danger : .missing,
          "no attribute -text, so that only a zero byte keeps git from converting line ends"
        ))
    }
    if self["diff"] != GitSettings.name {
      troubles.append((.missing, "no attribute diff=peernote, so that no text is shown"))
    }
    if self["filter"] == "lfs" {
      troubles.append(
        (.danger, "Git LFS stores the document, so the driver cannot merge it"))
    }
    return troubles
  }
}

extension GitRepository {
  /// The attributes of files, by their names from the top of the work tree if there is one.
  func attributes(
    of files: [FileName], top: FileName?
  ) throws(Failure) -> [(file: FileName, attributes: GitAttributes)] {
    var found: [(file: FileName, attributes: GitAttributes)] = []
    for batch in Self.batches(of: files) {
      let pieces = try output(
        ["check-attr", "-z"] + GitAttributes.names + ["--"] + batch, in: top
      ).splitAtNUL
      for index in stride(from: 0, to: pieces.count - 2, by: 3) {
        let file = FileName(bytes: pieces[index])
        if found.last?.file != file { found.append((file, GitAttributes())) }
        let name = String(decoding: pieces[index + 1], as: UTF8.self)
        found[found.count - 1].attributes.values[name] =
          String(decoding: pieces[index + 2], as: UTF8.self)
      }
    }
    return found
  }

  /// Whether an attribute says how long a file's conflict markers are.
  func hasMarkerSize(_ path: FileName) throws(Failure) -> Bool {
    let pieces = try output(["check-attr", "-z", "conflict-marker-size", "--", path]).splitAtNUL
    return pieces.count > 2 && !pieces[2].elementsEqual("unspecified".utf8)
  }
}
