import ArgumentParser

@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "peernote-bench",
    abstract: "Replays editing histories and times merges.",
    subcommands: [
      Replay.self, Offline.self, Versions.self, Merge.self, Large.self, Folders.self,
      Observe.self, Hostile.self, Worst.self, ComparePeers.self, Tables.self,
      Growth.self, GrowthStep.self, Anonymize.self,
    ])
}
