import Foundation
import PeernoteTestSupport
import Testing

/// What others on a machine can see and do: in the state folder, in a folder that a group writes, in
/// one like `/tmp`, and in what a killed run leaves.
@Suite("A shared machine")
struct SharedMachineTests {
  /// Says the mode, the type and the name of all below a directory.
  private static let list = "find . -mindepth 1 -printf '%m %y %P\\n' | sort -k3"

  @Test(
    "what is kept about documents is for its owner alone, whatever the system allows for others")
  func stateFolder() throws {
    let run = try Program().sh(
      """
      umask 000; mkdir home folder; export XDG_STATE_HOME="$PWD/state"
      pnmerge new folder/a.peernote --title T -q; pnmerge edit folder/a.peernote --tag x -q
      pnmerge export -q -o a.md folder/a.peernote; echo more >> a.md
      pnmerge import -q -o folder/a.peernote a.md
      printf 'a\\n' > folder/t.md; pnmerge track -q folder/t.md; printf 'b\\n' >> folder/t.md
      pnmerge sync -q folder; pnmerge undo -q folder/a.peernote
      chmod 666 state/peernote/exports/*.txt; pnmerge export -q -o b.md folder/a.peernote
      cd state; \(Self.list)
      """)
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.count > 8, "\(run)")
    for line in lines where line.count == 3 {
      // Who opened one of them to others has it so.
      let wanted = line[1] == "d" ? "700" : line[2].contains("exports/") ? "666" : "600"
      #expect(line[0] == wanted, "\(line)")
    }
  }

  @Test(
    "whenever a run is killed, nothing that it leaves can be read by more than the document can",
    .enabled(if: DisturbedProgram.isSupported))
  func killedRun() throws {
    let program = try DisturbedProgram()
    let start = try program.sh(
      """
      pnmerge new a --title T -q; cp a b; pnmerge edit b --tag x -q; chmod 600 a b
      rm -rf ../.local; mkdir ../kept; cp -p a b ../kept
      """)
    try #require(start.status == 0, "\(start)")
    let calls = try program.run(["merge", "-q", "a", "b"], from: "a").calls
    #expect(calls.count > 20)
    for number in calls.indices {
      _ = try program.sh("rm -rf ../.local; find . -mindepth 1 -delete; cp -p ../kept/* .")
      _ = try program.run(["merge", "-q", "a", "b"], from: "a", .kill, at: number)
      let left = try program.sh(
        "cd ..; find work .local -type f -perm /077; find .local -type d -name peernote -perm /077")
      #expect(!left.output.contains("/"), "\(calls[number]) \(number): \(left.output)")
      let next = try program.sh("pnmerge merge -q a b && ls -A && find ../.local -name '*.new'")
      #expect(next.output == "a\nb\n", "\(calls[number]) \(number): \(next)")
    }
  }

  /// Whether another user can be had: as root, with setpriv(1).
  private static let hasOtherUser =
    getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

  /// Runs a script with `other`, which runs the program as somebody who owns nothing but `home`.
  private func shared(_ script: String) throws -> Program.Run {
    return try Program().sh(
      """
      chmod 755 .; mkdir -m 700 theirs; chown 65534:65534 theirs; cp "$P" p; chmod 755 p
      other() {
        setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$PWD/theirs" ./p "$@"
      }
      mkdir -m 1777 sticky; mkdir -m 2775 team; chgrp 65534 team
      \(script)
      """)
  }

  @Test(
    "another owner's file in a directory like /tmp stays as it is, and nothing is left there",
    .enabled(if: hasOtherUser))
  func stickyDirectory() throws {
    let run = try shared(
      """
      ./p new sticky/a --title T -q; chmod 666 sticky/a; cp sticky/a kept
      other edit sticky/a --tag x; echo $?; cmp kept sticky/a; ls -A sticky
      """)
    #expect(run.output == "74\na\n", "\(run)")
    #expect(
      run.errors
        == "pnmerge: sticky/a: cannot write: operation not permitted; nothing was written\n")
  }

  @Test(
    "a file that somebody else put where the new one is written first is neither used nor removed",
    .enabled(if: hasOtherUser))
  func foreignTemporaryFile() throws {
    let run = try shared(
      """
      other new sticky/a --title T -q; (umask 077; echo secret > sticky/.a.pnmerge)
      other edit -q sticky/a --tag x; echo $?; cat sticky/.a.pnmerge
      ln -sf "$PWD/target" sticky/.b.pnmerge; other new sticky/b --title T -q
      other edit -q sticky/b --tag x; echo $?; ls -A sticky; ls target
      stat -c '%a %u' sticky/.a.pnmerge sticky/a
      """)
    #expect(
      run.output
        == "0\nsecret\n0\n.a.pnmerge\n.b.pnmerge\na\nb\n600 0\n644 65534\n", "\(run)")
  }

  @Test(
    "in a folder that a group may write, its group and permissions stay, and no more may read it",
    .enabled(if: hasOtherUser))
  func groupFolder() throws {
    let run = try shared(
      """
      for mode in 664 660 640; do
        ./p new team/$mode --title T -q; chown 0:65534 team/$mode; chmod $mode team/$mode
        other edit -q team/$mode --tag x; echo $?
      done
      stat -c '%a %u %g %n' team/*; ls -A team
      """)
    let files = ["640", "660", "664"]
    // What the group may only read it does not replace.
    #expect(run.output.hasPrefix("0\n0\n"), "\(run)")
    for file in files.dropFirst() {
      #expect(run.output.contains("\(file) 65534 65534 team/\(file)\n"), "\(run)")
    }
    #expect(run.output.contains("640 ") && run.output.hasSuffix("640\n660\n664\n"), "\(run)")
  }

  @Test(
    "where the state folder is somebody else's, the edit is made, and it is said that nothing is kept",
    .enabled(if: hasOtherUser))
  func foreignStateFolder() throws {
    let run = try shared(
      """
      mkdir -m 755 state; export XDG_STATE_HOME="$PWD/state"
      other new sticky/a --title T -q; other edit -q sticky/a --tag x; echo $?; ls -A state
      other cat sticky/a | grep -c '  - x'
      """)
    #expect(run.output == "0\n1\n", "\(run)")
    #expect(run.errors.contains("warning: cannot keep the old bytes for undo"), "\(run)")
  }
}
