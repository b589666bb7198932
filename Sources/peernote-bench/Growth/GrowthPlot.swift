import Foundation

/// A drawing of a ``GrowthReport`` as SVG: a panel for each measure, both axes logarithmic, a line
/// for each shape.
struct GrowthPlot {
  private let report: GrowthReport
  private let columns = 3
  private let panelWidth = 360.0
  private let panelHeight = 270.0
  private let head = 96.0

  /// The lines' looks, by shape: a color that the color-blind tell apart (Okabe & Ito), and a dash.
  private static let looks: [(color: String, dash: String)] = [
    ("#0072b2", ""), ("#d55e00", "7 3"), ("#009e73", "2 3"), ("#cc79a7", "9 3 2 3"),
    ("#000000", "4 2"),
  ]

  init(_ report: GrowthReport) {
    self.report = report
  }

  /// The drawing, a document of its own.
  var svg: String {
    let measures = GrowthReport.measures
    let rows = (measures.count + columns - 1) / columns
    let (width, height) = (Double(columns) * panelWidth, head + Double(rows) * panelHeight)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \
      \(Self.number(height))" font-family="sans-serif" font-size="12" fill="#222222">
      """,
      "<title>How time and memory grow with the length of a history</title>",
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
      Self.text(
        "What an event costs, by the length of the history", x: 16, y: 28, "font-size=\"18\""),
      Self.text(
        "Both axes are logarithmic: a level line is a cost in proportion to the length. "
          + "The bar at the right of a panel is a factor of 2.", x: 16, y: 48),
    ]
    lines += legend
    for (index, measure) in measures.enumerated() {
      let panel = GrowthPanel(
        measure: measure, shapes: report.shapes, looks: Self.looks, width: panelWidth,
        height: panelHeight)
      let x = Double(index % columns) * panelWidth
      let y = head + Double(index / columns) * panelHeight
      lines.append("<g transform=\"translate(\(Self.number(x)) \(Self.number(y)))\">")
      lines += panel.lines
      lines.append("</g>")
    }
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  private var legend: [String] {
    var x = 16.0
    return report.shapes.enumerated().flatMap { index, shape -> [String] in
      let start = x
      x += 52 + 7.0 * Double(shape.shape.title.count)
      return [
        Self.line(from: (start, 72), to: (start + 30, 72), Self.stroke(Self.looks, index)),
        Self.text(shape.shape.title, x: start + 36, y: 76),
      ]
    }
  }

  // MARK: Elements

  static func stroke(_ looks: [(color: String, dash: String)], _ index: Int) -> String {
    let (color, dash) = looks[index % looks.count]
    return "stroke=\"\(color)\" stroke-width=\"2\" fill=\"none\""
      + (dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\"")
  }

  static func line(
    from start: (Double, Double), to end: (Double, Double), _ attributes: String
  ) -> String {
    "<path d=\"M\(number(start.0)) \(number(start.1))L\(number(end.0)) \(number(end.1))\" "
      + "\(attributes)/>"
  }

  static func text(_ text: String, x: Double, y: Double, _ attributes: String = "") -> String {
    let escaped = text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
    return "<text x=\"\(number(x))\" y=\"\(number(y))\" \(attributes)>\(escaped)</text>"
  }

  static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}

/// One panel of a ``GrowthPlot``.
struct GrowthPanel {
  let measure: GrowthReport.Measure
  let shapes: [GrowthReport.Shape]
  let looks: [(color: String, dash: String)]
  let width: Double
  let height: Double

  private var left: Double { 56 }
  private var right: Double { width - 28 }
  private var top: Double { 34 }
  private var bottom: Double { height - 46 }

  /// The powers of ten that the axes reach over.
  private var decades: (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
    let points = shapes.flatMap(\.points)
    let events = points.map { log10(Double($0.events)) }
    let values = points.compactMap(measure.value).filter { $0 > 0 }.map { log10($0) }
    guard let xLow = events.min(), let xHigh = events.max(), let yLow = values.min(),
      let yHigh = values.max()
    else { return nil }
    // Histories are about as long as they were asked to be.
    let (xFirst, xLast) = (Int((xLow + 0.05).rounded(.down)), Int((xHigh - 0.05).rounded(.up)))
    let (yFirst, yLast) = (Int(yLow.rounded(.down)), Int(yHigh.rounded(.up)))
    return (xFirst...max(xFirst + 1, xLast), yFirst...max(yFirst + 1, yLast))
  }

  /// The panel's elements.
  var lines: [String] {
    let title = GrowthPlot.text(
      "\(measure.title), \(measure.unit)", x: left, y: 20, "font-weight=\"bold\"")
    guard let decades else { return [title] }
    func x(_ events: Double) -> Double {
      left + (right - left) * (log10(events) - Double(decades.x.lowerBound))
        / Double(decades.x.count - 1)
    }
    func y(_ value: Double) -> Double {
      bottom - (bottom - top) * (log10(value) - Double(decades.y.lowerBound))
        / Double(decades.y.count - 1)
    }
    let grid = "stroke=\"#dddddd\" stroke-width=\"1\""
    var result = [title]
    for power in decades.x {
      let place = x(pow(10, Double(power)))
      result.append(GrowthPlot.line(from: (place, top), to: (place, bottom), grid))
      result.append(
        "<text x=\"\(GrowthPlot.number(place))\" y=\"\(GrowthPlot.number(bottom + 18))\" "
          + "text-anchor=\"middle\">10<tspan dy=\"-5\" font-size=\"9\">\(power)</tspan></text>")
    }
    result.append(
      GrowthPlot.text(
        "events", x: (left + right) / 2, y: bottom + 34, "text-anchor=\"middle\""))
    for power in decades.y {
      let place = y(pow(10, Double(power)))
      result.append(GrowthPlot.line(from: (left, place), to: (right, place), grid))
      result.append(
        GrowthPlot.text(
          Self.label(power), x: left - 6, y: place + 4, "text-anchor=\"end\""))
    }
    let unit = pow(10, Double(decades.y.lowerBound))
    result.append(
      GrowthPlot.line(
        from: (right + 8, y(unit)), to: (right + 8, y(2 * unit)),
        "stroke=\"#888888\" stroke-width=\"4\""))
    for (index, shape) in shapes.enumerated() {
      let places = shape.points.compactMap { point -> (Double, Double)? in
        guard let value = measure.value(point), value > 0 else { return nil }
        return (x(Double(point.events)), y(value))
      }
      result += line(through: places, index)
    }
    return result
  }

  private func line(through places: [(Double, Double)], _ index: Int) -> [String] {
    guard !places.isEmpty else { return [] }
    let path = places.map { "\(GrowthPlot.number($0.0)) \(GrowthPlot.number($0.1))" }
      .joined(separator: "L")
    let color = looks[index % looks.count].color
    return ["<path d=\"M\(path)\" \(GrowthPlot.stroke(looks, index))/>"]
      + places.map { place in
        "<circle cx=\"\(GrowthPlot.number(place.0))\" cy=\"\(GrowthPlot.number(place.1))\" "
          + "r=\"3\" fill=\"\(color)\"/>"
      }
  }

  /// A power of ten as people write it: 0.01, 1, 1000, 10⁶.
  private static func label(_ power: Int) -> String {
    power < 0
      ? String(format: "%.\(-power)f", pow(10, Double(power)))
      : power < 5 ? String(Int(pow(10, Double(power)))) : "1e\(power)"
  }
}
