import Peernote
import PeernoteFuzzing

extension Rule {
  /// What is broken in a file of three changes, of which the last two follow the first: agent 1
  /// makes a text of "abc", agents 1 and 2 insert a letter at its start.
  ///
  ///     chain 0: agent 0, changes 0 and 1      chain 1: agent 1, change 2, after change 0
  static let onChains: [Rule] = [
    numbers(\.chains, "a parent that is the change itself", "more parents than changes", 0, 1, 1),
    numbers(
      \.chains, "a parent before the first change", "a parent that does not come earlier", 0, 1, 0,
      2, 0, 1, 2),
    numbers(
      \.chains, "parents that go on below the first change", "a parent that does not come earlier",
      0, 1, 0, 2, 0, 2, 1, 0),
    numbers(
      \.chains, "more parents than changes", "more parents than changes", 0, 1, 0, 2, 0, 3, 0, 0, 0),
    numbers(
      \.chains, "more parents than can be counted", "more parents than changes", 0, 1, 0, 2, 0, .max
    ),
    numbers(
      \.chains, "a chain follows its agent's own, of which there is none", "a chain is not written",
      0, 1, 0, 3, 0, 1, 1),
    numbers(
      \.chains, "a chain follows its agent's own alone", "a chain is not written", 0, 0, 0, 1, 0, 0,
      2, 0, 1, 1),
    numbers(
      \.chains, "a chain names its agent's own as another one", "a chain is not written", 0, 0, 0,
      0, 0, 1, 0, 2, 0, 1, 1),
    numbers(
      \.chains, "a chain names its agent's own twice", "a chain is not written", 0, 0, 0, 2, 0, 1,
      0, 1, 0, 2, 0, 0),
    Rule("chains out of order", "chains out of order") {
      // The second agent's chain begins before anything else, like the first one's.
      $0.log.agents = bigEndian(2) + bigEndian(1)
      $0.log.chains = column(0, 1, 0, 2, 0, 0)
    },
    numbers(\.chains, "an unknown agent", "an unknown agent", 0, 1, 0, 4, 0, 1, 1),
    Rule("neighbouring metadata is the same", "impossible metadata") {
      $0.log.authors.removeLast()
      $0.log.metadata = column(1, zigzag(1000), 0, 0, 2, 0, 0, 0)
    },
    numbers(
      \.metadata, "metadata of too few changes", "the metadata does not cover", 1, zigzag(1000), 0,
      0, 1, zigzag(1), 1, 0),
    Rule("the first of two heads only", "the heads are not those", in: .heads) {
      $0.setHeads([(1, 2)])
    },
    Rule("a parent among the heads", "the heads are not those", in: .heads) {
      $0.setHeads([(1, 1), (1, 2), (2, 1)])
    },
    Rule("an operation that reaches over two chains", "an operation reaches over the end") {
      $0.log.operations = column(
        Row.put, 0, Row.target, 1, Row.insert(3), Row.insert(2) | Row.jumps, zigzag(-3))
    },
  ]
}
