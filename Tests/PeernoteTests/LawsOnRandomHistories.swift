import Peernote
import PeernoteTestSupport
import Testing

/// The laws of documents and merging, on histories of several people drawn at random.
///
/// `PEERNOTE_HISTORIES=10000` tries as many, `PEERNOTE_SEED` says from which on.
@Suite struct LawsOnRandomHistories {
  @Test("on short histories of all kinds of content:", arguments: Law.all)
  func law(_ law: Law) {
    let fault = LawTrial([law], profile: .few).run(LawBudget(histories: 15))
    #expect(fault == nil, "\(fault ?? "")")
  }

  @Test("all laws hold on long histories", arguments: HistoryProfile.all)
  func allLaws(profile: HistoryProfile) {
    let fault = LawTrial(Law.all, profile: profile).run(LawBudget(histories: 20))
    #expect(fault == nil, "\(fault ?? "")")
  }

  @Test(
    "content, changes and merges are the oracle's on further ones", arguments: HistoryProfile.all)
  func furtherHistories(profile: HistoryProfile) {
    var budget = LawBudget(histories: 20)
    budget.firstSeed += 20
    let fault = LawTrial(Law.contentLaws + Law.mergeLaws, profile: profile).run(budget)
    #expect(fault == nil, "\(fault ?? "")")
  }
}
