import Foundation
import PeernoteTestSupport
import Testing

/// Random work on branches, judged against what git makes of the same text.
///
/// Each branch edits lines of its own in a note and, in the same way, in a plain text beside it.
/// Whatever is picked, dropped, put in another order, stashed, taken along, reverted or merged: where
/// git merges the plain text cleanly, the note reads the same. `PEERNOTE_GIT_ROUNDS` sets the number
/// of rounds, 40 by default, and `PEERNOTE_SEED` the seed from which they follow.
@Suite("git: rounds of picks beside plain text")
struct GitPickRoundsTests {
  @Test("a note reads as the plain text that the same was done to", arguments: seeds)
  func rounds(seed: UInt64) throws {
    var work = try Work(seed: seed)
    let rounds = TestSetting.count("GIT_ROUNDS") ?? 40
    for round in 0..<rounds where work.isRight { try work.play(round) }
    // Nothing was shown if hardly anything came to its end.
    #expect(work.done >= rounds / 3)
  }

  private static var seeds: [UInt64] { TestSetting.number("SEED").map { [$0] } ?? [1, 2] }
}

private struct Work {
  private let git: GitSandbox
  private var generator: SplitMix64
  private var editCount = 0
  private var branch = "main"
  /// What was done so far, for reports.
  private var steps: [String] = []
  /// Whether both files were the same so far.
  private(set) var isRight = true
  /// How many operations ended without a conflict of the plain text.
  private(set) var done = 0
  private let branches = ["main", "ann", "ben"]

  /// Lines of each branch, each between lines that nobody edits.
  private static let linesPerBranch = 4

  init(seed: UInt64) throws {
    git = try GitSandbox()
    generator = SplitMix64(seed: seed)
    var lines: [String] = []
    for number in 0..<Self.linesPerBranch {
      for branch in branches {
        lines += ["\(branch) \(number): word", "", "--- \(branch) \(number) ---", ""]
      }
    }
    try Data(lines.joined(separator: "\n").appending("\n").utf8).write(
      to: git.program.directory.appending(path: "start"))
    let run = try git.sh(
      """
      git init -q r; cd r; pnmerge git install -q; cp ../start n.txt
      pnmerge new -q n.peernote --title T --body-file n.txt; save base
      git branch ann; git branch ben
      """)
    #expect(run.status == 0, "\(run.errors)")
  }

  // MARK: Steps

  mutating func play(_ round: Int) throws {
    let others = branches.filter { $0 != branch }
    switch generator.weighted([6, 2, 2, 2, 4, 2, 2, 2, 2]) {
    case 0: try run("edit", "\(edit()); save 'edit \(round)'")
    case 1:
      branch = generator.pick(others)
      try run("switch to \(branch)", "git switch -q \(branch)")
    case 2:
      let target = generator.pick(others)
      try run(
        "switch -m to \(target)",
        "\(edit()); git switch -q -m \(target)\n\(settle)\nkeep 'taken along \(round)'")
      branch = target
    case 3:
      try run(
        "stash",
        """
        \(edit()); git stash -q; \(edit()); save 'while stashed \(round)'
        git stash pop -q || {
          \(settle)
          git stash drop -q
        }
        keep 'stashed \(round)'
        """)
    case 4:
      let other = generator.pick(others)
      try run(
        "cherry-pick",
        """
        c=$(git rev-list --no-merges \(other) ^HEAD | line \(generator.below(1000)))
        [ -z "$c" ] || git cherry-pick $c || { refused; git cherry-pick --abort || :; }
        """)
    case 5:
      let other = generator.pick(others)
      try run(
        "merge \(other)", "git merge -q --no-edit \(other) || { refused; git merge --abort; }")
    case 6:
      let backend = generator.pick(["merge", "apply"])
      let other = generator.pick(others)
      try run(
        "rebase --\(backend) \(other)",
        "git rebase -q --\(backend) \(other) || { refused; git rebase --abort; }")
    case 7:
      let script = generator.pick(["1d", "2d", "1{h;d};2G", "2{h;d};3G"])
      try run(
        "rebase -i \(script)",
        """
        n=$(git log --format=%p -n 4 | awk 'NF==1 && !e {n++} NF!=1 {e=1} END {print n+0}')
        [ $n -lt 4 ] || GIT_SEQUENCE_EDITOR="sed -i '/^$/d;/^#/d;\(script)'" \\
          git rebase -q -i HEAD~3 || { refused; git rebase --abort; }
        """)
    default:
      try run(
        "revert",
        """
        c=$(git rev-list --no-merges -n 3 HEAD | line \(generator.below(1000)))
        [ "$(git rev-list --count $c)" = 1 ] || git revert --no-edit $c ||
          { refused; git revert --abort || :; }
        """)
    }
  }

  /// A command that edits both files: a word of a line of this branch, and a line that comes or goes.
  private mutating func edit() -> String {
    editCount += 1
    let line = "^\(branch) \(generator.below(Self.linesPerBranch)):"
    let script =
      switch generator.below(4) {
      case 0: "/\(line)/a \(branch) added \(editCount)"
      case 1: "/\(line)/{s/[a-z0-9]*$/w\(editCount)/;n;/added/d}"
      default: "/\(line)/s/[a-z0-9]*$/w\(editCount)/"
      }
    return "sed -i '\(script)' n.txt; pnmerge edit -q n.peernote --body-file n.txt"
  }

  /// Ends a conflict that git cannot abort.
  ///
  /// The note is settled as it reads, and the plain text gets that.
  private var settle: String {
    """
    if git diff --name-only --diff-filter=U | grep -q .; then
      refused
      pnmerge resolve -q n.peernote --all --take kept || :
      pnmerge cat --body n.peernote > n.txt; git add -A
    fi
    """
  }

  /// Runs a step and compares.
  private mutating func run(_ name: String, _ script: String) throws {
    steps.append(name)
    let run = try git.sh(
      """
      line() { awk -v number="$1" '{ lines[NR] = $0 } END { if (NR) print lines[number % NR + 1] }'; }
      keep() { git add -A; git diff --cached --quiet || git commit -qm "$1"; }
      refused() {
        # The plain text alone may be in conflict.
        git diff --name-only --diff-filter=U > "$T/open"
        if grep -q peernote "$T/open"; then echo "the note is in conflict"; fi
        echo refused > "$T/refused"
      }
      rm -f refused; cd r
      { \(script)
      } > "$T/said" 2>&1 || { cat "$T/said"; echo "failed: $?"; }
      git status --porcelain
      pnmerge cat --body n.peernote | diff n.txt - > "$T/different" || cat "$T/different"
      """)
    let isRefused = FileManager.default.fileExists(
      atPath: git.program.directory.appending(path: "refused").path)
    if !isRefused { done += 1 }
    isRight = run.status == 0 && run.output.isEmpty
    #expect(
      isRight,
      "\(steps.joined(separator: "; ")):\n\(run.output)\(run.errors)")
  }
}
