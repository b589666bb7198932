import PeernoteTestSupport
import Testing

/// Two instances of Syncthing on this machine's loopback, which announce themselves to nobody.
@Suite("Tracked files that Syncthing carries") struct SyncthingTests {
  /// Starts a desk, where `watch` runs, and a phone, with a folder `notes` each.
  ///
  /// `await SECONDS COMMAND` waits until a command succeeds. `delay` says how many seconds after a save
  /// a file is carried.
  private let start = """
    set -e
    pids=
    finish() { kill $pids 2>/dev/null || :; wait; }
    trap finish EXIT
    set -- $(python3 -c '
    import socket
    sockets = [socket.socket() for _ in range(2)]
    for each in sockets: each.bind(("127.0.0.1", 0))
    print(*(each.getsockname()[1] for each in sockets))')
    for machine in desk phone; do
      mkdir -p $machine/notes
      syncthing generate --home=$machine/st --no-default-folder >$machine/log 2>&1
    done
    id() { syncthing --home=$1/st --device-id; }
    device() {
      echo "<device id='$(id $1)' name='$1'><address>tcp://127.0.0.1:$2</address></device>"
    }
    config() {
      cat >$1/st/config.xml <<XML
    <configuration version="35">
      <folder id="notes" path="$PWD/$1/notes" fsWatcherEnabled="true" fsWatcherDelayS="${delay:-1}"
        rescanIntervalS="3600">
        <device id="$(id desk)"/><device id="$(id phone)"/><minDiskFree unit="%">0</minDiskFree>
        <maxConflicts>10</maxConflicts>
      </folder>
      $3
      <gui enabled="false"/>
      <options>
        <listenAddress>tcp://127.0.0.1:$2</listenAddress>
        <globalAnnounceEnabled>false</globalAnnounceEnabled>
        <localAnnounceEnabled>false</localAnnounceEnabled>
        <relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>
        <reconnectionIntervalS>1</reconnectionIntervalS><urAccepted>-1</urAccepted>
        <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
        <crashReportingEnabled>false</crashReportingEnabled>
      </options>
    </configuration>
    XML
    }
    devices="$(device desk $1) $(device phone $2)"
    config desk $1 "$devices"; config phone $2 "$devices"
    await() {
      tries=$(($1 * 5)); shift
      while ! "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || { echo "waited in vain: $*" >&2; return 1; }
        sleep 0.2
      done
    }
    has() { grep -qx "$2" "$1/notes/trip.md"; }
    # Each NOTE of each NOTE:CHANGES is recorded at the desk, and the folders are the same.
    recorded() {
      for each in "$@"; do
        [ $(pnmerge log desk/notes/.peernote/${each%:*}.md.peernote 2>/dev/null | wc -l) \\
          -ge ${each#*:} ] || return 1
      done
      same
    }
    same() { diff -r -x '.st*' -x '.syncthing.*' -x trash desk/notes phone/notes >/dev/null; }
    printf 'one\\ntwo\\nthree\\n' >desk/notes/trip.md
    touch -d '10 minutes ago' desk/notes/trip.md
    pnmerge track -q desk/notes
    "$P" watch desk/notes >>desk/log 2>&1 & pids="$pids $!"
    for machine in desk phone; do
      syncthing serve --home=$machine/st --no-browser --no-restart --no-upgrade \\
        >>$machine/log 2>&1 & pids="$pids $!"
    done
    await 120 test -s phone/notes/.peernote/trip.md.peernote
    await 60 same
    """

  @Test(
    "a phone without pnmerge: what it saves is recorded once, and merged with the desk's",
    .timeLimit(.minutes(30)))
  func phone() async throws {
    let run = try await Program().sh(
      """
      \(start)
      echo phone >>phone/notes/trip.md
      await 30 recorded trip:2
      # At once on both: Syncthing makes a conflict copy.
      sed -i 's/two/TWO/' phone/notes/trip.md
      sed -i '1i desk' desk/notes/trip.md
      await 40 has phone desk
      await 40 has phone TWO
      await 40 same
      cat phone/notes/trip.md; ls phone/notes
      """)
    #expect(
      run.output == "desk\none\nTWO\nthree\nphone\ntrip.md\n", "\(run.output) \(run.errors)")
  }

  @Test(
    "a phone without pnmerge, the usual delay: what it makes of the desk's lines later is what stands",
    .timeLimit(.minutes(30)))
  func sequential() async throws {
    let run = try await Program().sh(
      """
      delay=10
      \(start)
      cd desk/notes
      printf '| tent | 90 |\\n' >row.md; printf 'Tent.\\n' >line.md; printf 'Notes.\\n' >again.md
      printf -- '- [ ] tea\\n- [ ] jam\\n' >ticks.md; printf 'milk\\nbread\\n' >list.md
      printf 'a\\nb\\n' >swap.md; touch -d '10 minutes ago' *.md; pnmerge track -q .
      cd ../..
      all() { recorded row:$1 line:$1 ticks:$1 list:$1 swap:$1 again:$1; }
      await 90 all 1
      cd desk/notes
      echo '| hotel | 200 |' >>row.md; echo 'The desk writes this.' >>line.md
      sed -i 's/\\[ ]/[x]/' ticks.md; printf 'eggs\\ntea\\n' >>list.md
      printf 'c\\nd\\n' >>swap.md; echo 'Of the desk.' >>again.md
      cd ../..
      await 90 all 2
      cd phone/notes
      sed -i 's/200/250/' row.md; sed -i 's/The desk.*/The phone writes that./' line.md
      sed -i 's/\\[x]/[ ]/' ticks.md; printf 'rye\\njam\\n' >list.md
      printf 'a\\nb\\nd\\nc\\n' >swap.md
      rm again.md; printf 'Notes.\\nOf the desk.\\nAgain.\\n' >again.md
      cd ../..
      cp -r phone/notes wanted
      await 120 all 3
      diff -r -x '.*' wanted desk/notes
      ls desk/notes
      """)
    #expect(
      run.output == "again.md\nline.md\nlist.md\nrow.md\nswap.md\nticks.md\ntrip.md\n",
      "\(run.output) \(run.errors)")
  }

  /// How long files take in long tests: as long as usual if `PEERNOTE_DAYS` is set.
  private let shortDelay = TestSetting.isSet("DAYS") ? 10 : 1

  /// `PEERNOTE_DAYS` says for how many days, from 4 on.
  @Test(
    "a phone without pnmerge: days of notes from one template, of which one is deleted and two get other names",
    .timeLimit(.minutes(30)))
  func days() async throws {
    let days = TestSetting.count("DAYS") ?? 4
    let run = try await Program().sh(
      """
      delay=\(shortDelay)
      \(start)
      # A day's note is made on one machine, begun on the other one a day later, and then ended here.
      for day in $(seq \(days + 2)); do
        if [ $((day % 2)) = 1 ]; then here=desk there=phone; else here=phone there=desk; fi
        begun=$((day - 1)); ended=$((day - 2)); now=
        if [ $day -le \(days) ]; then
          printf '# Day\\n\\n- [ ] tea\\n- [ ] walk\\n\\n## Log\\n\\n## Tomorrow\\n' \\
            >$here/notes/day$day.md
          now="$now day$day:1"
        fi
        if [ $begun -ge 1 ] && [ $begun -le \(days) ]; then
          sed -i "s/# Day/& $begun/; s/ ] tea/x] tea/" $here/notes/day$begun.md
          now="$now day$begun:2"
        fi
        if [ $ended -ge 1 ]; then
          sed -i "s/ ] walk/x] walk/; /## Log/a Met friend $ended." $here/notes/day$ended.md
          now="$now day$ended:3"
        fi
        await 120 recorded $now
        case $day in
          4) rm phone/notes/day1.md; await 90 same ;;
          5) mv phone/notes/day2.md phone/notes/first.md ;;
          6) mv desk/notes/day4.md desk/notes/fourth.md ;;
        esac
      done
      await 120 recorded first:3 fourth:3
      cd desk/notes; ls
      for day in 2:first 4:fourth 3:day3 $(seq 5 \(days) | sed 's/.*/&:day&/'); do
        printf '# Day %s\\n\\n- [x] tea\\n- [x] walk\\n\\n## Log\\nMet friend %s.\\n\\n## Tomorrow\\n' \\
          ${day%:*} ${day%:*} | diff - ${day#*:}.md
      done
      """)
    let names = [3] + (days > 4 ? Array(5...days) : [])
    #expect(
      run.output
        == (names.map { "day\($0)" } + ["first", "fourth", "trip"]).map { $0 + ".md\n" }.joined(),
      "\(run.output) \(run.errors)")
  }

  @Test(
    "a phone without pnmerge: a backup that is restored there stands, and what was written since is in the history",
    .timeLimit(.minutes(30)))
  func backup() async throws {
    let run = try await Program().sh(
      """
      delay=\(shortDelay)
      \(start)
      cp -rp phone/notes backup
      sed -i 's/two/TWO/' phone/notes/trip.md; await 90 recorded trip:2
      echo four >>desk/notes/trip.md; await 90 recorded trip:3
      # The note alone, with its old time.
      cp -p backup/trip.md phone/notes; await 90 recorded trip:4
      diff backup/trip.md desk/notes/trip.md
      pnmerge conflicts desk/notes/trip.md | grep '"'
      echo five >>desk/notes/trip.md; await 90 recorded trip:5
      # The whole folder: the histories are old, too.
      cp -rp backup/. phone/notes; await 90 recorded trip:6
      diff backup/trip.md desk/notes/trip.md
      echo six >>phone/notes/trip.md; await 90 recorded trip:7
      cat desk/notes/trip.md; ls desk/notes
      for change in $(pnmerge log desk/notes/trip.md | tac | grep -o '[0-9a-f]*\\.1'); do
        pnmerge cat --at $change desk/notes/trip.md | tail -n 1
      done
      """)
    #expect(
      run.output == """
            "TWO"
            "four"
        one
        two
        three
        six
        trip.md
        three
        three
        four
        three
        five
        three
        six

        """, "\(run.output) \(run.errors)")
  }

  @Test(
    "both with pnmerge: what is saved on both at once is on both, once", .timeLimit(.minutes(30)))
  func both() async throws {
    let run = try await Program().sh(
      """
      \(start)
      XDG_STATE_HOME=$PWD/phone/state "$P" watch phone/notes >>phone/log 2>&1 & pids="$pids $!"
      for round in 1 2; do
        sed -i "1i desk$round" desk/notes/trip.md
        sed -i "\\$a phone$round" phone/notes/trip.md
        await 40 has phone desk$round
        await 40 has desk phone$round
        await 40 same
      done
      cat phone/notes/trip.md; ls phone/notes
      pnmerge validate -q desk/notes/.peernote/trip.md.peernote
      """)
    #expect(
      run.output == "desk2\ndesk1\none\ntwo\nthree\nphone1\nphone2\ntrip.md\n",
      "\(run.output) \(run.errors)")
  }

  /// `PEERNOTE_SEED` sets the seed.
  @Test(
    "random rounds, both with pnmerge: every word that was written is on both, once",
    .timeLimit(.minutes(30)))
  func rounds() async throws {
    let seed = TestSetting.number("SEED") ?? 1
    print("Syncthing: PEERNOTE_SEED=\(seed)")
    var generator = SplitMix64(seed: seed)
    var words: [String: Set<String>] = ["trip.md": [], "plan.md": [], "doc.peernote": []]
    let names = words.keys.sorted()
    var script = """
      \(start)
      XDG_STATE_HOME=$PWD/phone/state "$P" watch phone/notes >>phone/log 2>&1 & pids="$pids $!"
      printf 'four\\nfive\\nsix\\n' >desk/notes/plan.md
      pnmerge track -q desk/notes; pnmerge new -q desk/notes/doc.peernote
      arrived() { test -s phone/notes/.peernote/plan.md.peernote -a -s phone/notes/doc.peernote; }
      await 40 arrived; await 40 same
      # Conflict copies are folded a while after all words are there.
      settled() { same && ! ls desk/notes phone/notes | grep -q sync-conflict; }
      all() {
        file=$1; shift
        for machine in desk phone; do
          for word in "$@"; do
            case $file in
              *.md) grep -qx $word $machine/notes/$file ;;
              *) pnmerge cat $machine/notes/$file /$word >/dev/null ;;
            esac || return 1
          done
        done
      }

      """
    for _ in 1...10 {
      for _ in 0..<generator.within(2...5) {
        let (name, machine) = (generator.pick(names), generator.pick(["desk", "phone"]))
        let word = "word\(words.values.map(\.count).reduce(0, +))"
        words[name]?.insert(word)
        let file = "\(machine)/notes/\(name)"
        // Both machines run the same program; each edits its copy as it is.
        script +=
          name.hasSuffix(".md")
          ? "sed -i '\(generator.pick(["1i", "2i", "3i", "$a"])) \(word)' \(file)\n"
          : "pnmerge set -q \(file) /\(word) true\n"
        if generator.chance(30) { script += "sleep \(generator.pick(["0.3", "2", "6"]))\n" }
      }
      for name in names where !(words[name] ?? []).isEmpty {
        script += "await 60 all \(name) \((words[name] ?? []).sorted().joined(separator: " "))\n"
      }
      script += "await 60 settled\n"
    }
    script += """
      for name in trip plan; do sort phone/notes/$name.md; done; ls phone/notes
      pnmerge validate -q desk/notes; echo $?
      """
    let lines = [
      (words["trip.md"] ?? []).union(["one", "two", "three"]).sorted(),
      (words["plan.md"] ?? []).union(["four", "five", "six"]).sorted(),
      ["doc.peernote", "plan.md", "trip.md", "0"],
    ].joined()
    let run = try await Program().sh(script)
    #expect(run.output == lines.map { $0 + "\n" }.joined(), "\(run.output) \(run.errors)")
  }
}
