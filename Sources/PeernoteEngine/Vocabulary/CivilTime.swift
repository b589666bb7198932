/// A point in time by the Gregorian calendar, at some distance from UTC.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  /// From 1 to 12.
  package var month: Int
  /// From 1 to 31.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int

  /// The calendar's date of `time`, `secondsFromUTC` ahead of UTC.
  ///
  /// The arithmetic counts years from March, so that the leap day is the last of its year, and
  /// splits days into eras of 400 years (146,097 days), which all have the same length.
  package init(_ time: Timestamp, secondsFromUTC: Int = 0) {
    var (seconds, milliseconds) = time.milliseconds.flooredQuotient(by: 1000)
    seconds += Int64(secondsFromUTC)
    let (days, secondOfDay) = seconds.flooredQuotient(by: 86_400)
    let (era, dayOfEra) = (days + Self.daysFromEraToEpoch).flooredQuotient(by: Self.daysInEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int(era * 400 + yearOfEra) + (month <= 2 ? 1 : 0)
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    hour = Int(secondOfDay / 3600)
    minute = Int(secondOfDay / 60 % 60)
    second = Int(secondOfDay % 60)
    millisecond = Int(milliseconds)
  }

  fileprivate static let daysInEra: Int64 = 146_097
  /// From 0000-03-01 to 1970-01-01.
  fileprivate static let daysFromEraToEpoch: Int64 = 719_468

  fileprivate var iso8601: String {
    func two(_ number: Int) -> String { Self.padded(number, 2) }
    let year =
      (0...9999).contains(year)
      ? Self.padded(year, 4) : (year < 0 ? "-" : "+") + Self.padded(abs(year), 6)
    let fraction = millisecond == 0 ? "" : "." + Self.padded(millisecond, 3)
    let time = "\(two(hour)):\(two(minute)):\(two(second))"
    return "\(year)-\(two(month))-\(two(day))T\(time)\(fraction)Z"
  }

  /// A number with leading zeros up to a width.
  package static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Timestamp {
  /// ISO 8601 in UTC, as in `2026-11-20T14:02:11Z`, with three decimals where there are
  /// milliseconds; years outside 0 to 9999 have a sign and at least six digits.
  package var iso8601: String {
    CivilTime(self).iso8601
  }

  /// Reads what ``iso8601`` writes, any decimals (more than three are cut), and offsets such as
  /// `+01:00` in place of the `Z`; `nil` for anything else and for days that do not exist.
  package init?(iso8601 text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.year(), scanner.skip("-"), let month = scanner.number(2),
      scanner.skip("-"), let day = scanner.number(2), scanner.skip("T"),
      let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2),
      scanner.skip(":"), let second = scanner.number(2),
      let milliseconds = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd,
      (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60
    else { return nil }

    let yearFromMarch = month > 2 ? year : year - 1
    let (era, yearOfEra) = yearFromMarch.flooredQuotient(by: 400)
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * CivilTime.daysInEra + dayOfEra - CivilTime.daysFromEraToEpoch
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    // 128 bits, since the last seconds of the range overflow on the way.
    let unshifted = Int128(seconds) * 1000 + Int128(milliseconds)
    guard let local = Int64(exactly: unshifted),
      let universal = Int64(exactly: unshifted - Int128(offset) * 60_000)
    else { return nil }
    // A day beyond the month's end shows as another date.
    let check = CivilTime(Timestamp(milliseconds: local))
    guard check.day == Int(day), check.month == Int(month) else { return nil }
    self.init(milliseconds: universal)
  }
}

/// Reads numbers of a fixed width.
private struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(_ width: Int) -> Int64? {
    let digits = rest.prefix(width)
    guard digits.count == width, let value = digits.decimalValue else { return nil }
    rest.removeFirst(width)
    return value
  }

  /// Four digits, or a sign and six to nine.
  mutating func year() -> Int64? {
    let isNegative = skip("-")
    guard isNegative || skip("+") else { return number(4) }
    let width = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    guard (6...9).contains(width) else { return nil }
    return number(width).map { isNegative ? -$0 : $0 }
  }

  /// Milliseconds after a full stop; 0 if there is none.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty, let value = digits.prefix(3).decimalValue else { return nil }
    rest.removeFirst(digits.count)
    return value * [100, 10, 1][min(digits.count, 3) - 1]
  }

  /// Minutes ahead of UTC.
  mutating func offset() -> Int64? {
    if skip("Z") { return 0 }
    let isBehind = skip("-")
    guard isBehind || skip("+"), let hours = number(2), skip(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    return (isBehind ? -1 : 1) * (hours * 60 + minutes)
  }
}

extension Substring.UTF8View {
  /// The value of up to eighteen decimal digits; `nil` if there is anything else.
  fileprivate var decimalValue: Int64? {
    guard count <= 18 else { return nil }
    var value: Int64 = 0
    for byte in self {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }
}

extension Int64 {
  /// Division that rounds towards negative infinity.
  func flooredQuotient(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
