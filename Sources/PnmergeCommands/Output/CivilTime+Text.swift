package import Peernote

extension CivilTime {
  /// As people read it here: `20 Nov 14:02`, with the year if it is not `currentYear`.
  package func shortText(currentYear: Int) -> String {
    let date = "\(day) \(Self.monthNames[month - 1])" + (year == currentYear ? "" : " \(year)")
    return "\(date) \(Self.padded(hour, 2)):\(Self.padded(minute, 2))"
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
