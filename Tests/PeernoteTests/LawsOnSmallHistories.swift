import Peernote
import PeernoteTestSupport
import Testing

/// The laws on every small history there is.
@Suite struct LawsOnSmallHistories {
  @Test(
    "text is the oracle's in every small history",
    arguments: [
      SmallHistories(agents: 3, changes: 4, start: ""),
      SmallHistories(agents: 2, changes: 4, start: "a"),
      SmallHistories(agents: 3, changes: 3, start: "ab"),
    ])
  func texts(histories: SmallHistories) {
    let fault = histories.firstFault()
    #expect(fault == nil, "\(fault ?? "")")
  }
}
