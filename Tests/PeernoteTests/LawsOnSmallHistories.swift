import Peernote
import PeernoteTestSupport
import Testing

/// The laws on every small history there is.
///
/// `PEERNOTE_CHANGES=5` tries those of three agents with so many changes, which takes minutes.
@Suite struct LawsOnSmallHistories {
  private static let histories = [
    SmallHistories(agents: 3, changes: changes, start: ""),
    SmallHistories(agents: 2, changes: 4, start: "a"),
    SmallHistories(agents: 3, changes: 3, start: "ab"),
  ]

  private static let changes = TestSetting.count("CHANGES") ?? 4

  @Test("text is the oracle's in every small history", arguments: histories)
  func texts(histories: SmallHistories) {
    let fault = histories.firstFault(SmallHistories.checkDocument)
    #expect(fault == nil, "\(fault ?? "")")
  }
}
