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

  /// What is measured, with a value for each point; `nil` where there is nothing.
  private var measures: [(title: String, values: [Double?])] {
    func values(_ work: GrowthWork, _ value: (Work) -> Double?) -> [Double?] {
      points.map { point in
        point.work[work.rawValue].flatMap(value).map { $0 / Double(point.events) }
      }
    }
    return GrowthWork.allCases.map { work in
      ("\(work.title), ns an event", values(work) { $0.seconds.map { $0 * 1e9 } })
    }
      + [GrowthWork.read, .merge, .validate].map { work in
        (
          "memory to \(work.rawValue), bytes an event",
          values(work) { $0.peakBytes.map { Double($0) } }
        )
      }
  }

  /// How many times as much a measure takes at most, from the second size on, as at that size.
  private func growth(of values: [Double?]) -> Double? {
    let values = values.dropFirst().compactMap(\.self)
    guard let first = values.first, let most = values.max(), first > 0 else { return nil }
    return most / first
  }

  /// The figures as a table, a line for each measure.
  var table: String {
    let sizes = points.map { Self.column(String($0.events)) }.joined()
    var lines = ["\(shape.title): \(shape.explanation)", "  \(Self.padded(""))\(sizes)  growth"]
    for (title, values) in measures {
      let columns = values.map { Self.column($0.map { String(format: "%.1f", $0) } ?? "-") }
      let growth = growth(of: values).map { String(format: "%8.2f%@", $0, $0 > 2 ? " *" : "") }
      lines.append("  \(Self.padded(title))\(columns.joined())\(growth ?? "")")
    }
    for point in points {
      for (name, work) in point.work.sorted(by: { $0.key < $1.key }) {
        guard let refusal = work.refusal else { continue }
        lines.append("  \(point.events) events: \(name) refused: \(refusal)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, 34 - text.count))
  }

  private static func column(_ text: String) -> String {
    String(repeating: " ", count: max(1, 11 - text.count)) + text
  }
}
