import PeernoteTestSupport
import Testing

/// Folders in memory that meet in any order.
///
/// `PEERNOTE_ROUNDS` sets how many worlds of each kind there are, `PEERNOTE_SEED` the first one's seed.
@Suite("Two trees and a stick")
struct FolderRoundsTests {
  /// Of a hundred files, how many are tracked: none, all, or half.
  private static let shares = [0, 100, 50]
  private static let machines = [["desk"], ["desk", "laptop"]]

  @Test(
    "after random rounds all folders are the same, nothing is lost, and the next run is idle",
    arguments: shares, TestSetting.seeds(16))
  func rounds(trackedShare: Int, seed: UInt64) throws {
    let disk = MemoryDisk(hasTracked: trackedShare > 0)
    var world = try FolderWorld(seed: seed, Self.machines[Int(1 - seed % 2)], disk)
    for _ in 1...10 {
      for folder in FolderWorld.folders {
        for _ in 0..<world.generator.below(4) {
          let isTracked = world.generator.chance(trackedShare)
          try world.step(in: folder, tracked: isTracked)
        }
      }
      let meeting = world.generator.pick(FolderWorld.meetings)
      try world.sync(meeting)
    }
    // Names that two machines gave take a while until they agree.
    for _ in 1...6 {
      for meeting in FolderWorld.meetings { try world.sync(meeting) }
    }
    try world.check()
    #expect(world.faults == [], "\(world)")
  }
}
