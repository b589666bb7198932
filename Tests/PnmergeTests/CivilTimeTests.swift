import PeernoteTestSupport
import Peernote
import PnmergeCommands
import Testing

@Suite("Dates and times")
struct CivilTimeTests {
  @Test("known moments have their dates")
  func knownMoments() {
    #expect(Timestamp(milliseconds: 0).iso8601 == "1970-01-01T00:00:00Z")
    #expect(Timestamp(milliseconds: 951_782_400_000).iso8601 == "2000-02-29T00:00:00Z")
    #expect(Timestamp(milliseconds: 1_234_567_890_123).iso8601 == "2009-02-13T23:31:30.123Z")
    #expect(Timestamp(milliseconds: -1).iso8601 == "1969-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: -62_167_219_200_000).iso8601 == "0000-01-01T00:00:00Z")
    #expect(Timestamp(milliseconds: 253_402_300_800_000).iso8601 == "+010000-01-01T00:00:00Z")
  }

  @Test("the days of 800 years follow each other and read back")
  func everyDay() {
    var previous = CivilTime(Timestamp(milliseconds: -146_097 * 86_400_000))
    for day in -146_096...146_097 {
      let time = Timestamp(milliseconds: Int64(day) * 86_400_000)
      let date = CivilTime(time)
      let isNextDay =
        date.year == previous.year && date.month == previous.month
        && date.day == previous.day + 1
      let isNextMonth =
        date.year == previous.year && date.month == previous.month + 1
        && date.day == 1 && (28...31).contains(previous.day)
      let isNextYear =
        date.year == previous.year + 1 && (date.month, date.day) == (1, 1)
        && (previous.month, previous.day) == (12, 31)
      if !(isNextDay || isNextMonth || isNextYear) || Timestamp(iso8601: time.iso8601) != time {
        Issue.record("\(time.iso8601) after \(previous)")
        return
      }
      previous = date
    }
  }

  @Test("any time reads back", arguments: 0..<100)
  func anyTime(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let bits = Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<40, using: &generator)
    let time = Timestamp(milliseconds: bits)
    #expect(Timestamp(iso8601: time.iso8601) == time)
  }

  @Test("the ends of the range read back", arguments: [Int64.min, .min + 1, .max - 1, .max])
  func extremes(milliseconds: Int64) {
    let time = Timestamp(milliseconds: milliseconds)
    #expect(Timestamp(iso8601: time.iso8601) == time)
  }

  @Test("offsets and decimals are understood")
  func offsets() {
    let time = Timestamp(iso8601: "2026-11-20T15:02:11.5+01:00")
    #expect(time?.iso8601 == "2026-11-20T14:02:11.500Z")
    #expect(
      Timestamp(iso8601: "2026-11-20T14:02:11.123999-00:30")?.iso8601
        == "2026-11-20T14:32:11.123Z")
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", "2026-11-20", "2026-02-29T00:00:00Z", "2026-11-31T00:00:00Z", "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-11-00T00:00:00Z", "2026-11-20T24:00:00Z",
      "2026-11-20T14:60:00Z", "2026-11-20T14:02:60Z", "2026-11-20T14:02:11", "2026-11-20T14:02Z",
      "2026-11-20T14:02:11ZZ", "26-11-20T14:02:11Z", "+2026-11-20T14:02:11Z",
      "2026-11-20T14:02:11.Z", "2026-11-20T14:02:11+1:00", "2026-1a-20T14:02:11Z",
      "+999999999-01-01T00:00:00Z",
    ])
  func refused(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test("people see local time, with the year only where it is another one")
  func shortForm() {
    let time = Timestamp(milliseconds: 1_795_183_331_000)
    #expect(CivilTime(time, secondsFromUTC: 3600).shortText(currentYear: 2026) == "20 Nov 15:02")
    #expect(CivilTime(time).shortText(currentYear: 2027) == "20 Nov 2026 14:02")
  }
}
