import Peernote
import PeernoteFuzzing

/// A way to break a rule of the format, and what opening the file says about it.
struct Rule: Sendable, CustomStringConvertible {
  var name: String
  /// What the error's reason begins with.
  var reason: String
  var kind: DocumentError.Kind
  var section: DocumentError.Section
  var change: @Sendable (inout ForgedFile) -> Void
  /// The sound file that is broken.
  var sound = RuleTests.oneChange

  init(
    _ name: String, _ reason: String, kind: DocumentError.Kind = .damaged,
    in section: DocumentError.Section = .log,
    _ change: @escaping @Sendable (inout ForgedFile) -> Void
  ) {
    self.name = name
    self.reason = reason
    self.kind = kind
    self.section = section
    self.change = change
  }

  var description: String { name }

  /// The broken file.
  var broken: ForgedFile {
    var file = sound
    change(&file)
    return file
  }

  /// The rule in another file.
  func inside(_ sound: ForgedFile) -> Rule {
    var rule = self
    rule.sound = sound
    return rule
  }

  /// A rule that a column of other numbers breaks.
  static func numbers(
    _ column: any (WritableKeyPath<ForgedFile.Log, [UInt8]> & Sendable), _ name: String,
    _ reason: String, kind: DocumentError.Kind = .damaged, _ numbers: UInt64...
  ) -> Rule {
    Rule(name, reason, kind: kind) { $0.log[keyPath: column] = PeernoteFuzzing.column(numbers) }
  }
}

extension Rule {
  /// All of them.
  static let all =
    onOneChange + onRows + onChains.map { $0.inside(RuleTests.chains) }
    + onDeletions.map { $0.inside(RuleTests.deletions) }
    + onElements.map { $0.inside(RuleTests.elements) }

  /// What is broken in a file of one change: `put /body text, insert "abc"`.
  private static let onOneChange: [Rule] = varints + tables + counts + heads + metadata

  private static let varints = [
    Rule("an integer is not in its shortest form", "an integer is not in its shortest form") {
      $0.log.counts = [0x81, 0x00, 0x04]
    },
    Rule("an integer has 65 bits", "an integer is not in its shortest form") {
      $0.log.counts = [UInt8](repeating: 0xFF, count: 9) + [0x02, 0x04]
    },
    Rule("an integer has eleven bytes", "an integer is not in its shortest form") {
      $0.log.counts = [UInt8](repeating: 0xFF, count: 10) + [0x01, 0x04]
    },
    Rule("a column ends inside an integer", "a column ends where") {
      $0.log.counts = [0x01, 0x84]
    },
    Rule("a column ends inside a row", "a column ends where") {
      $0.log.counts = [0x01]
    },
  ]

  private static let tables = [
    Rule("the agents are not 8 bytes each", "the agents are not 8 bytes each") {
      $0.log.agents.append(0)
    },
    Rule("an agent stands twice", "an agent stands twice") { $0.log.agents += $0.log.agents },
    Rule("an agent is not used", "the chains do not cover") { $0.log.agents += bigEndian(2) },
    numbers(\.chains, "an agent is not in the table", "an unknown agent", 2, 0, 0),
    Rule("there are no agents", "an unknown agent") { $0.log.agents = [] },
    Rule("the second agent comes first", "agents out of order") {
      $0.log.agents += bigEndian(2)
      $0.log.chains = column(2, 0, 0)
    },
    Rule("there are no authors", "an unknown author") { $0.log.authors = [] },
    numbers(
      \.metadata, "an author is not in the table", "an unknown author", 1, zigzag(1000), 1, 0),
    Rule("an author is not used", "an author or a message of no change") {
      $0.log.authors.append("bob")
    },
    Rule("the second author comes first", "impossible metadata") {
      $0.log.authors.append("bob")
      $0.log.metadata = column(1, zigzag(1000), 1, 0)
    },
    Rule("an author stands twice", "a name stands twice") { $0.log.authors.append("ann") },
    numbers(
      \.metadata, "a message is not in the table", "an unknown message", 1, zigzag(1000), 0, 1),
    Rule("a message is not used", "an author or a message of no change") {
      $0.log.messages.append("m")
    },
    Rule("the second message comes first", "impossible metadata") {
      $0.log.messages = ["m", "n"]
      $0.log.metadata = column(1, zigzag(1000), 0, 2)
    },
    Rule("there are no keys", "an unknown key") { $0.log.keys = [] },
    Rule("a key is not in the table", "an unknown key") {
      $0.log.operations = column(Row.put, 1, Row.target, 1, Row.insert(3))
    },
    Rule("a key is not used", "keys that no operation uses") { $0.log.keys.append("more") },
    Rule("the second key comes first", "keys out of order") {
      $0.log.keys.append("more")
      $0.log.operations = column(Row.put, 1, Row.target, 1, Row.insert(3))
    },
    Rule("a key stands twice", "a name stands twice") { $0.log.keys.append("body") },
    Rule("a name is not UTF-8", "a text that is not UTF-8") { $0.log.deleted = [0xFF] },
  ]

  private static let counts = [
    numbers(\.counts, "a run of no changes", "impossible event counts", 0, 4),
    numbers(\.counts, "a change without events", "impossible event counts", 1, 0),
    numbers(
      \.counts, "neighbouring runs of counts are the same", "impossible event counts", 1, 2, 1, 2),
    numbers(
      \.counts, "more changes than the limit", "more changes than the limit", kind: .limit,
      (1 << 24) + 1, 1),
    numbers(
      \.counts, "more events than the limit", "more events than the limit", kind: .limit, 1,
      (1 << 30) + 1),
    numbers(
      \.counts, "counts that multiply out to more than the limit", "more events than the limit",
      kind: .limit, 1 << 16, 1 << 30),
    numbers(
      \.counts, "counts that multiply out beyond 64 bits", "more events than the limit",
      kind: .limit, 2, 1 << 63),
    numbers(
      \.counts, "counts that add up to more than the limit", "more events than the limit",
      kind: .limit, 1, 1 << 29, 1, (1 << 29) + 1),
    numbers(\.counts, "fewer changes than event counts", "the chains do not cover", 1, 4, 1, 5),
    numbers(\.chains, "more changes than event counts", "more changes than event counts", 0, 1, 0),
    Rule("chains after the last change", "more changes than event counts") {
      $0.log.chains += column(0, 0, 0)
    },
    Rule("no chains", "the chains do not cover") { $0.log.chains = [] },
  ]

  private static let heads = [
    Rule("another head", "the heads are not those", in: .heads) { $0.setHeads([(1, 2)]) },
    Rule("no heads", "the heads are not those", in: .heads) { $0.setHeads([]) },
    Rule("a head too many", "the heads are not those", in: .heads) {
      $0.setHeads([(1, 1), (2, 1)])
    },
    Rule("a head twice", "heads out of order", in: .heads) { $0.setHeads([(1, 1), (1, 1)]) },
    Rule("heads out of order", "heads out of order", in: .heads) {
      $0.setHeads([(2, 1), (1, 1)])
    },
    Rule("a head without number", "heads out of order", in: .heads) { $0.setHeads([(1, 0)]) },
    Rule("a head of a huge number", "the number 1", in: .heads) { $0.setHeads([(1, .max)]) },
    Rule("heads that are no array", "", in: .heads) { $0.heads = [0x00] },
    Rule("a head that is no pair", "", in: .heads) { $0.heads = [0x81, 0x80] },
    Rule("an agent of seven bytes", "", in: .heads) {
      $0.heads = [0x81, 0x82, 0x47, 0, 0, 0, 0, 0, 0, 1, 0x01]
    },
  ]

  private static let metadata = [
    numbers(\.metadata, "a run of no metadata", "impossible metadata", 0, zigzag(1000), 0, 0),
    Rule("no metadata", "the metadata does not cover") { $0.log.metadata = [] },
    numbers(
      \.metadata, "metadata of 2^40 changes", "metadata of more changes", 1 << 40, zigzag(1000), 0,
      0),
    numbers(
      \.metadata, "metadata of too many changes", "metadata of more changes", 2, zigzag(1000), 0, 0),
  ]
}
