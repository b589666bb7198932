import Peernote

/// Content that comes in from another program's file, to be compared with versions of a document.
struct IncomingContent {
  /// What the content and a version of the document are as text of one form.
  struct Forms {
    /// What the version would be exported as.
    var version: [UInt8]
    /// The same form of what comes in, as far as that depends on what the version holds.
    var incoming: [UInt8]

    /// Where it was left without what was redacted since.
    var gaps: [PastContent.Gap] = []

    /// Whether what comes in is exactly the version.
    var isSame: Bool { version == incoming }

    /// How far the two are apart.
    var distance: Distance {
      let splices = TextDifference(from: version, to: incoming).splices
      return Distance(
        edits: splices.count,
        characters: splices.reduce(0) { $0 + $1.deleted + $1.inserted.unicodeScalars.count })
    }
  }

  /// How far a version is from what comes in: how many edits lead there, and how many characters go
  /// and come.
  ///
  /// One edit more is as much as 256 characters. For who takes back what others did makes more of them,
  /// and one long line that comes in is one.
  struct Distance: Comparable {
    var edits: Int
    var characters: Int

    private var sum: Int { edits * 256 + characters }

    static func == (left: Self, right: Self) -> Bool { left.sum == right.sum }

    static func < (left: Self, right: Self) -> Bool { left.sum < right.sum }
  }

  /// The file that it comes from.
  var file: FileName
  /// The version that it says it holds.
  var mark: VersionMark?
  /// Whether what it leaves out is meant to go: when a note was started is told to the document
  /// alone, unless an export told it the file.
  var isWhole: Bool
  /// The two as text; `nil` for a version of another kind.
  var forms: (_ version: Document) throws -> Forms?
  /// Makes a version read like what comes in, and names what changed; `nil` if nothing did.
  var update: (_ version: inout Document) throws -> [String]?
}
