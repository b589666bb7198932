import Foundation

/// What a run of ``Growth`` measured of histories of a shape.
struct GrowthReport {
  var shape: GrowthShape
  /// Ascending by events.
  var points: [Point]

  /// One history.
  struct Point {
    var events: Int
    /// By the name of the work.
    var work: [String: Work]
  }

  /// What some work on a history took.
  struct Work: Codable {
    /// The median; `nil` if it was refused.
    var seconds: Double?
    /// How much memory the process took beyond what it had before, at the most.
    var peakBytes: Int?
    /// Why it was refused.
    var refusal: String?
  }

  /// A measure, in a unit an event.
  struct Measure: Sendable {
    var title: String
    var unit: String
    /// `nil` where there is nothing.
    var value: @Sendable (Point) -> Double?
  }

  /// All measures.
  static let measures: [Measure] =
    GrowthWork.allCases.map { work in
      Measure(title: work.title, unit: "ns an event") { point in
        point.work[work.rawValue]?.seconds.map { $0 * 1e9 / Double(point.events) }
      }
    }
    + [GrowthWork.read, .merge, .validate].map { work in
      Measure(title: "memory to \(work.rawValue)", unit: "bytes an event") { point in
        point.work[work.rawValue]?.peakBytes.map { Double($0) / Double(point.events) }
      }
    }

  /// How many times as much a measure takes at most, from the second size on, as at that size.
  func growth(of measure: Measure) -> Double? {
    let values = points.dropFirst().compactMap(measure.value)
    guard let first = values.first, let most = values.max(), first > 0 else { return nil }
    return most / first
  }

  /// The figures as a table, a line for each measure.
  var table: String {
    let sizes = points.map { Self.column(String($0.events)) }.joined()
    var lines = [
      "\(shape.title): \(shape.explanation)", "  \(Self.padded("", 26))\(sizes)  growth",
    ]
    for measure in Self.measures {
      let values = points.map { point in
        Self.column(measure.value(point).map { String(format: "%.1f", $0) } ?? "-")
      }.joined()
      let growth =
        growth(of: measure).map { String(format: "%8.2f%@", $0, $0 > 2 ? " *" : "") } ?? ""
      lines.append("  \(Self.padded("\(measure.title), \(measure.unit)", 26))\(values)\(growth)")
    }
    for point in points {
      for (name, work) in point.work.sorted(by: { $0.key < $1.key }) {
        guard let refusal = work.refusal else { continue }
        lines.append("  \(point.events) events: \(name) refused: \(refusal)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width + 8 - text.count))
  }

  private static func column(_ text: String) -> String {
    String(repeating: " ", count: max(1, 11 - text.count)) + text
  }
}
