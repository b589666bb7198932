import Foundation
import PeernoteTestSupport
import Testing

/// The recipes of the README, run as they stand there.
@Suite("Recipes of the README") struct RecipeTests {
  /// The heading of the recipes for folders and single notes that are carried about.
  private static let transports = "By stick, rsync or Unison"

  private func readme() throws -> String {
    try String(contentsOf: Repository.path("README.md"), encoding: .utf8)
  }

  /// The shell lines under a heading of the README, from the first place where there are any, or a
  /// later one.
  private func recipe(_ heading: String, place: Int = 0) throws -> String {
    let text = try readme()
    let section = try #require(text.range(of: "### \(heading)\n")).upperBound
    var start = section
    for _ in 0...place {
      start = try #require(text.range(of: "```sh\n", range: start..<text.endIndex)).upperBound
    }
    let end = try #require(text.range(of: "```\n", range: start..<text.endIndex)).lowerBound
    return String(text[start..<end])
  }

  /// Runs lines of sh(1), all of which have to succeed.
  private func output(_ lines: String) throws -> String {
    let run = try Program().sh(lines)
    #expect(run.status == 0, "\(run)")
    return run.output
  }

  @Test("the README begins with what the program prints of the two notes among the fixtures")
  func firstScreen() throws {
    let text = try readme()
    #expect(text.utf8.count <= 10_000)
    let block = try #require(text.components(separatedBy: "```console\n").dropFirst().first)
    let shown = try #require(block.components(separatedBy: "```").first)
    let commands = shown.split(separator: "\n").filter { $0.hasPrefix("$ ") }
    #expect(commands.count == 2)
    let notes = Repository.path("Fixtures/notes").path(percentEncoded: false)
    let output = try output(
      """
      mkdir home
      cp '\(notes)/desk.peernote' note.peernote && cp '\(notes)/phone.peernote' .
      \(commands.map { "echo '\($0)'; \($0.dropFirst(2))" }.joined(separator: "\n"))
      """)
    /// Without years, which are said of dates that are not of this one, and what is left out.
    func compared(_ text: String) -> String { text.replacing(#/ 20\d\d (?=\d\d:)/#, with: " ") }
    let expected = try #require(shown.components(separatedBy: "...\n").first)
    #expect(compared(output).hasPrefix(compared(expected)), "\(output)")
  }

  /// Two copies of a note that were edited apart: `trip.peernote` and `other.peernote`.
  private let twoCopies = """
    set -e
    git config --global user.name me && git config --global user.email me@example.invalid
    pnmerge new -q trip.peernote --title Trip --tag travel
    cp trip.peernote other.peernote
    """

  /// Edits both copies.
  private let editBoth = """
    echo "Pack the tent." > here.txt && pnmerge edit -q trip.peernote --body-file here.txt
    pnmerge edit -q other.peernote --title "Trip north" --tag summer
    """

  /// What a merged copy has to show.
  private func expectBothEdits(in output: String) {
    for text in ["Trip north", "summer", "Pack the tent."] {
      #expect(output.contains(text), "\(output)")
    }
  }

  @Test("two folders and a stick end with the same files, and with both edits")
  func folders() throws {
    let output = try output(
      """
      set -e
      mkdir -p desk/notes laptop/notes stick/notes
      STICK=$PWD/stick
      round() { (cd "$1"; \(try recipe(Self.transports))); }
      pnmerge new -q desk/notes/trip.peernote --title Trip
      pnmerge new -q laptop/notes/plan.peernote --title Plan
      round desk; round laptop; round desk
      echo "Pack the tent." > here.txt
      pnmerge edit -q desk/notes/trip.peernote --body-file here.txt
      pnmerge edit -q laptop/notes/trip.peernote --title "Trip north" --tag summer
      mv laptop/notes/plan.peernote laptop/notes/p.peernote
      round laptop; round desk; round laptop
      diff -r desk laptop && diff -r desk stick && ls desk/notes
      pnmerge cat desk/notes/trip.peernote
      """)
    #expect(output.contains("p.peernote\ntrip.peernote\n"))
    expectBothEdits(in: output)
  }

  @Test("two laptops and a stick end with the same bytes, and with both edits")
  func stick() throws {
    let output = try output(
      """
      mkdir home stick
      \(twoCopies)
      STICK=$PWD/stick
      \(editBoth)
      cp other.peernote stick/trip.peernote
      \(try recipe(Self.transports, place: 3))
      cmp trip.peernote stick/trip.peernote
      pnmerge cat trip.peernote
      """)
    expectBothEdits(in: output)
  }

  @Test("rsync both ways ends with the same bytes, and with both edits")
  func rsync() throws {
    let output = try output(
      """
      mkdir home there
      \(twoCopies)
      \(editBoth)
      mv other.peernote there/trip.peernote
      THERE=$PWD/there
      \(try recipe(Self.transports, place: 4))
      cmp trip.peernote there/trip.peernote
      pnmerge cat trip.peernote
      """)
    expectBothEdits(in: output)
  }

  /// Edits a tracked file in two folders, renames and deletes others.
  private let editTracked = """
    printf 'zero\\none\\ntwo\\nthree\\n' > notes/trip.md
    printf 'one\\ntwo\\nthree\\nfour\\n' > there/trip.md
    mv there/plan.md there/map.md
    pnmerge delete notes/old.md
    """

  /// A folder with three tracked files.
  private let tracked = """
    set -e
    mkdir -p home notes there
    printf 'one\\ntwo\\nthree\\n' > notes/trip.md
    echo "Buy a map of the north." > notes/plan.md
    echo "Nothing of that." > notes/old.md
    pnmerge track -q notes
    """

  private let expectTracked = """
    diff -r notes there && ls notes
    test "$(cat notes/trip.md)" = "$(printf 'zero\\none\\ntwo\\nthree\\nfour\\n')"
    """

  @Test("a mirror by rsync carries edits, renames and deletions of tracked files over")
  func rsyncFolder() throws {
    let recipe = try recipe(Self.transports, place: 1)
    let output = try output(
      """
      \(tracked)
      THERE=$PWD/there
      \(recipe)
      \(editTracked)
      \(recipe)
      \(expectTracked)
      """)
    #expect(output.hasSuffix("map.md\ntrip.md\n"), "\(output)")
  }

  @Test("a stick carries edits, renames and deletions of tracked files over")
  func trackedStick() throws {
    let output = try output(
      """
      \(tracked)
      mkdir -p stick/notes
      STICK=$PWD/stick
      round() { \(try recipe(Self.transports)) }
      round && pnmerge sync -q there stick/notes
      \(editTracked)
      round && pnmerge sync -q there stick/notes && round
      diff -r notes stick/notes
      \(expectTracked)
      """)
    #expect(output.hasSuffix("map.md\ntrip.md\n"), "\(output)")
  }

  private static let hasUnison = ["/usr/bin/unison", "/usr/local/bin/unison"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "Unison carries edits, renames and deletions of tracked files over", .enabled(if: hasUnison))
  func unison() throws {
    let recipe = try recipe(Self.transports, place: 2)
    let output = try output(
      """
      \(tracked)
      cp -rp notes/. there/
      export PATH="${P%/*}:$PATH" UNISON=$PWD/home/unison THERE=$PWD/there
      round() {
        \(recipe)
        pnmerge tidy there
      }
      round
      \(editTracked)
      pnmerge tidy notes && pnmerge tidy there
      round || true; round || true; round
      \(expectTracked)
      """)
    #expect(output.hasSuffix("map.md\ntrip.md\n"), "\(output)")
  }

  @Test("a merge of branches in git keeps both edits, with the driver and without")
  func git() throws {
    let output = try output(
      """
      mkdir home
      \(twoCopies)
      mkdir repository && mv trip.peernote repository/ && cd repository
      export PATH="${P%/*}:$PATH"
      git init -q -b ours . && git add . && git commit -qm note
      \(try recipe("A git repository"))
      git checkout -q -b theirs
      pnmerge edit -q trip.peernote --title "Trip north" --tag summer && git commit -qam theirs
      git checkout -q ours
      echo "Pack the tent." > ../here.txt && pnmerge edit -q trip.peernote --body-file ../here.txt
      git commit -qam ours
      git clone -q . ../clone && git -C ../clone branch -q theirs origin/theirs
      git merge theirs
      cd ../clone
      \(try recipe("A git repository", place: 1))
      git diff --quiet HEAD && test "$(git rev-list --count --merges HEAD)" = 1
      cmp trip.peernote ../repository/trip.peernote
      pnmerge cat trip.peernote
      """)
    expectBothEdits(in: output)
  }

  @Test("two copies of a MeetingNotes file are merged, and imported")
  func meetingNotes() throws {
    let samples = MeetingNotesFiles.directory.path(percentEncoded: false) + "/c_diverged"
    let output = try output(
      """
      set -e
      mkdir home there
      cp '\(samples)/left.meetingnotes' Weekly.meetingnotes
      cp '\(samples)/right.meetingnotes' there/Weekly.meetingnotes
      THERE=there
      \(try recipe("Copies of a MeetingNotes file").replacing("pnmerge status", with: "! pnmerge status"))
      pnmerge cat Weekly.peernote
      """)
    #expect(output.contains("Weekly.meetingnotes: sound"))
    #expect(output.contains("Boxes arrive Friday"))
    #expect(output.contains("Two candidates."))
  }
}
