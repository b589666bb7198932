import PeernoteTestSupport
import Testing

/// Real directories that the built program brings together in any order, on two machines.
@Suite("Two trees and a stick, by the built program")
struct ProgramRoundsTests {
  private let program: Program
  private var worlds: [(world: FolderWorld, disk: ProgramDisk)]

  /// `PEERNOTE_ROUNDS` sets how many worlds there are, `PEERNOTE_SEED` the first one's seed.
  init() throws {
    let seeds = TestSetting.seeds(6).prefix(40)
    print("two trees and a stick: seeds \(seeds); replay with PEERNOTE_SEED")
    let program = try Program()
    self.program = program
    worlds = try seeds.map { seed in
      let disk = ProgramDisk("seed\(seed)", program)
      // Every other world has a single machine.
      let machines = seed.isMultiple(of: 2) ? ["desk", "laptop"] : ["desk"]
      return (try FolderWorld(seed: seed, machines, disk), disk)
    }
  }

  /// Brings two folders together in each world.
  ///
  /// All worlds do so at once, since files that were saved a moment ago are waited for.
  private mutating func sync(_ meetings: [FolderWorld.Meeting]) throws {
    let commands = zip(worlds, meetings).map { $0.world.command($1, "-v", "--fill") }
    let script = zip(worlds, commands).map { "(\($0.disk.command($1.words, on: $1.machine))) &" }
    try program.sh(script.joined(separator: "\n") + "\nwait")
    for (index, (meeting, command)) in zip(worlds.indices, zip(meetings, commands)) {
      try worlds[index].world.follow(
        worlds[index].disk.said(), command.words, of: [meeting.first, meeting.second],
        on: command.machine)
    }
  }

  @Test(
    "after ten random rounds all folders are the same, nothing is lost, and the next run is idle",
    .timeLimit(.minutes(30)))
  mutating func rounds() throws {
    for round in 1...10 {
      for index in worlds.indices {
        for folder in FolderWorld.folders {
          for _ in 0..<worlds[index].world.generator.below(5) {
            // Only every other round has to wait for what was saved.
            let isTracked =
              round.isMultiple(of: 2) && worlds[index].world.generator.chance(60)
            try worlds[index].world.step(in: folder, tracked: isTracked)
          }
        }
      }
      try sync(worlds.indices.map { worlds[$0].world.generator.pick(FolderWorld.meetings) })
    }
    // Names that two machines gave take a while until they agree.
    for _ in 1...6 {
      for meeting in FolderWorld.meetings { try sync(worlds.map { _ in meeting }) }
    }
    for index in worlds.indices {
      try worlds[index].world.check()
      #expect(worlds[index].world.faults == [], "\(worlds[index])")
    }
  }

  @Test("two names that two machines gave end as one, in whichever order folders meet")
  func twoNames() throws {
    var generator = SplitMix64(seed: 1)
    let meetings = ["desk desk stick", "laptop stick laptop", "laptop laptop desk"]
    for round in 1...20 {
      let order = (1...12).map { _ in meet(generator.pick(meetings)) }
      let tracked = round.isMultiple(of: 2)
      let start =
        tracked
        ? "pnmerge track -q desk" : "pnmerge import -q desk/a.peernote desk/a.md; rm desk/a.md"
      let run = try Program().sh(
        """
        meet() { XDG_STATE_HOME=$PWD/.$1 pnmerge sync $2 $3; }
        mkdir desk laptop stick
        echo text >desk/a.md; touch -d '1 hour ago' desk/a.md
        \(start)
        for i in 1 2; do
          \(meetings.map(meet).joined(separator: "\n"))
        done >first
        end=\(tracked ? "md" : "peernote")
        mv desk/a.$end desk/b.$end; mv laptop/a.$end laptop/c.$end
        {
          \(order.joined(separator: "\n"))
        } >said
        for i in 1 2 3 4 5 6; do
          \(meetings.map(meet).joined(separator: "\n"))
        done >>said
        \(meetings.map(meet).joined(separator: "\n"))
        for folder in desk laptop stick; do (cd $folder; find . -name "*.$end"); done | sort -u | wc -l
        """)
      #expect(
        run.output == String(repeating: "1 note, nothing to do\n", count: 3) + "1\n",
        "round \(round): \(order), \(run.errors)")
    }
  }

  private func meet(_ words: String) -> String { "meet \(words)" }
}
