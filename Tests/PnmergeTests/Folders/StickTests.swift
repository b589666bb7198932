import Foundation
import Testing

/// A stick with FAT or, where the kernel does not know that, exFAT: an image that is mounted.
@Suite(
  "A real stick", .serialized,
  .enabled(
    if: Stick.start != nil,
    "needs root, loop devices, and dosfstools or both exfatprogs and exfat-fuse"))
struct StickTests {
  /// Runs a script that may `plug` the stick in at `stick`, once it was made with `format SIZE`, and
  /// `pull` it out.
  private func sh(_ script: String) async throws -> Program.Run {
    try await Program().sh("\(Stick.start ?? "")\nmkdir desk stick\n\(script)")
  }

  @Test("names that it cannot hold get others there, and edits on both sides meet")
  func names() async throws {
    let run = try await sh(
      """
      format 8M; plug
      for name in 'a:b' 'what?' trip Trip TRIP 'dot.' 'x<y>|z' 'a\\b' 'end./in' ' lead'; do
        mkdir -p "desk/$(dirname "$name")"
        pnmerge new -q "desk/$name.peernote" --title "$name"
        printf '%s\\n' "$name" middle end >"desk/$name.md"
      done
      touch -d '1 hour ago' desk/*.md desk/*/*.md
      pnmerge track -q desk; sleep 5
      names() { find $1 -name .peernote -prune -o -type f -print | sort; }
      titles() { pnmerge ls --json $1 | grep -o '"title":"[^"]*"' | sort; }
      texts() { find $1 -name '*.md' -exec cat {} + | sort; }
      same() {
        [ "$(titles desk)" = "$(titles stick)" ] || echo "titles differ: $(titles stick)"
        [ "$(texts desk)" = "$(texts stick)" ] || echo "texts differ: $(texts stick)"
      }
      names desk >before
      pnmerge sync desk stick >said; echo "sync $?"; same
      names desk | diff before -
      pnmerge sync desk stick; echo "again $?"
      # Everything is edited on both sides, each of which is pulled out and plugged in between.
      pull; plug
      for folder in desk stick; do
        find $folder -name .peernote -prune -o -name '*.peernote' -print | while read -r file; do
          pnmerge set -q "$file" /$folder true
        done
        find $folder -name '*.md' | while read -r file; do
          if [ $folder = desk ]; then sed -i 1idesk "$file"; else echo stick >>"$file"; fi
        done
      done
      sleep 6
      pnmerge sync -q desk stick; echo "sync $?"; same
      names desk | diff before -
      pnmerge sync desk stick; echo "again $?"
      for word in desk middle stick; do echo "$(cat desk/*.md desk/*/*.md | grep -cx $word) $word"; done
      for key in desk stick; do
        find desk -name .peernote -prune -o -name '*.peernote' -print |
          while read -r file; do pnmerge cat "$file" /$key; done | grep -c true
      done
      pnmerge validate -q desk stick; echo "valid $?"
      """)
    #expect(
      run.output == """
        sync 0
        20 notes, nothing to do
        again 0
        sync 0
        20 notes, nothing to do
        again 0
        10 desk
        10 middle
        10 stick
        10
        10
        valid 0

        """, "\(run.errors)")
    #expect(run.errors == "")
  }

  @Test("pulled out in the middle, it loses nothing, and what is below stays empty")
  func pulledOut() async throws {
    let run = try await sh(
      """
      format 8M; plug; mkdir stick/notes
      for i in 1 2 3 4 5 6 7 8; do
        pnmerge new -q desk/$i.peernote --title note$i; cp desk/$i.peernote stick/notes/
      done
      pnmerge sync -q desk stick/notes; echo "sync $?"
      for pause in 0.005 0.01 0.02 0.04 0.08 0.16; do
        for i in 1 2 3 4 5 6 7 8; do pnmerge set -q desk/$i.peernote /at$pause true; done
        pnmerge new -q desk/new$pause.peernote
        pnmerge sync -q desk stick/notes 2>errors & running=$!
        sleep $pause; pull
        wait $running; status=$?
        case $status in 0|66|73|74) ;; *) echo "status $status" ;; esac
        [ $status = 0 ] || [ -s errors ] || echo "nothing said for $status"
        grep -v -e 'cannot be reached any more' -e 'there is no directory of this name' errors
        [ $(wc -l <errors) -le 1 ] || cat errors
        ls -A stick
        plug
        pnmerge sync -q --fill desk stick/notes; echo "sync $?"
      done
      pull
      pnmerge sync desk stick/notes; echo "gone $?"; ls -A stick
      plug
      pnmerge sync desk stick/notes; pnmerge validate -q desk stick/notes; echo "valid $?"
      find desk -name '*.peernote' | while read -r file; do cmp $file stick/notes/${file#desk/}; done
      for i in 1 8; do pnmerge cat --format json stick/notes/$i.peernote | grep -c '"at0'; done
      """)
    #expect(
      run.output == """
        sync 0
        sync 0
        sync 0
        sync 0
        sync 0
        sync 0
        sync 0
        gone 66
        14 notes, nothing to do
        valid 0
        6
        6

        """, "\(run.errors)")
    #expect(run.errors.hasPrefix("pnmerge: stick/notes: there is no directory of this name\n"))
    #expect(run.errors.count { $0 == "\n" } == 1, "\(run.errors)")
  }

  @Test("when it is full, one line says so, all that was there is still whole, and nothing is lost")
  func full() async throws {
    let run = try await sh(
      """
      format 8M; plug
      head -c 600000 /dev/urandom | base64 -w 70 >text
      for i in 1 2 3; do pnmerge new -q desk/$i.peernote --body-file text; done
      pnmerge sync -q desk stick; echo "sync $?"
      for i in 1 2 3; do pnmerge set -q desk/$i.peernote /more true; done
      # What cannot be compressed fills the rest.
      cat /dev/zero >stick/filler 2>/dev/null
      for i in 4 5 6; do pnmerge new -q desk/$i.peernote --body-file text; done
      pnmerge sync -q desk stick 2>errors; echo "full $?"; wc -l <errors; cat errors >&2
      for i in 1 2 3; do pnmerge validate -q desk/$i.peernote stick/$i.peernote || echo "broken $i"; done
      find stick -name '*.pnmerge'
      rm stick/filler
      pnmerge sync -q desk stick; echo "sync $?"
      for i in 1 2 3 4 5 6; do cmp desk/$i.peernote stick/$i.peernote; done
      """)
    #expect(run.output == "sync 0\nfull 74\n1\nsync 0\n", "\(run.errors)")
    #expect(run.errors.contains("no space left on device"), "\(run.errors)")
    #expect(run.errors.count { $0 == "\n" } == 1, "\(run.errors)")
  }
}

/// How a stick is made and mounted.
enum Stick {
  /// Functions of sh(1) for the first file system that can be had; `nil` if none can.
  static let start: String? = {
    let vfat = [
      "mkfs.vfat fat.img", "mount -o loop fat.img stick",
    ]
    let exfat = [
      "mkfs.exfat fat.img",
      "loop=$(losetup -f --show fat.img) && mount.exfat-fuse -o nonempty $loop stick",
    ]
    for words in [vfat, exfat] {
      let start = """
        PATH=$PATH:/usr/sbin:/sbin
        format() { truncate -s $1 fat.img && \(words[0]) >/dev/null 2>&1; }
        plug() { \(words[1]) >/dev/null 2>&1; }
        pull() {
          umount -l stick 2>/dev/null
          # The next one finds what this one wrote.
          for try in $(seq 500); do
            loop=$(losetup -n -O NAME -j fat.img 2>/dev/null)
            [ "$loop" ] || return 0
            losetup -d $loop 2>/dev/null
            sleep 0.02
          done
          echo 'the stick is still in use'
        }
        trap pull EXIT
        """
      let trial = try? Program().sh(
        start + "\nmkdir stick; format 8M && plug && : >stick/file && pull && ! test -e stick/file")
      if trial?.status == 0 { return start }
    }
    return nil
  }()
}
