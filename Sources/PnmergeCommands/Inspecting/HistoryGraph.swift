package import Peernote
import PeernoteJSON

/// The graph of a document's changes, drawn for people.
///
/// Changes that one author made one after the other, with nothing that branches off or joins between
/// them, are drawn as one.
package struct HistoryGraph {
  /// Changes in a row.
  package struct Run {
    package var first: ChangeID
    package var last: ChangeID
    package var count = 1
    package var author: String
    package var start: Timestamp
    package var end: Timestamp
    /// The runs that it follows, by number; each is less than its own.
    package var parents: [Int]
  }

  /// The runs, each after those that it follows.
  package private(set) var runs: [Run] = []

  /// Groups changes, which stand after their parents.
  ///
  /// O(n).
  package init(_ changes: some Sequence<ChangeSummary>) {
    let changes = Array(changes)
    var children: [ChangeID: Int] = [:]
    for parent in changes.lazy.flatMap(\.parents) { children[parent, default: 0] += 1 }
    var runOf: [ChangeID: Int] = [:]
    for change in changes {
      let parents = Array(Set(change.parents.compactMap { runOf[$0] })).sorted()
      if change.parents.count == 1, children[change.parents[0]] == 1, let run = parents.first,
        runs[run].author == change.author
      {
        runs[run].last = change.id
        runs[run].count += 1
        runs[run].end = change.time
        runOf[change.id] = run
      } else {
        runOf[change.id] = runs.count
        runs.append(
          Run(
            first: change.id, last: change.id, author: change.author, start: change.time,
            end: change.time, parents: parents))
      }
    }
  }

  // MARK: DOT

  /// The graph in the language of Graphviz.
  package var dot: String {
    var text = "digraph history {\n  rankdir=BT\n  node [shape=box]\n"
    for (number, run) in runs.enumerated() {
      let label = visibleText(run.title + "\n" + run.details, keeping: ["\n"])
        .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      text += "  n\(number) [label=\"\(label)\"]\n"
      for parent in run.parents { text += "  n\(number) -> n\(parent)\n" }
    }
    return text + "}\n"
  }

  // MARK: SVG

  /// From one run to the next, and from one lane to the next, in pixels.
  private static let (row, lane) = (28, 18)
  private static let colors = [
    "#1b6ca8", "#b3541e", "#2e7d32", "#8e24aa", "#c62828", "#00838f", "#6d4c41",
  ]

  /// A line from a run down to one that it follows.
  private struct Edge {
    var child: Int
    var parent: Int
    /// Where it goes down.
    var lane: Int
  }

  /// A picture of its own, the newest run at the top.
  package var svg: String {
    drawn(
      style: """
        <style>text{fill:#222}.d{fill:#667}@media (prefers-color-scheme:dark)\
        {text{fill:#eee}.d{fill:#9ab}svg{background:#181818}}</style>

        """)
  }

  private func drawn(style: String) -> String {
    let (lanes, edges) = placed
    let width = ((lanes + edges.map(\.lane)).max() ?? 0) + 1
    // The letters of most fonts are narrower.
    let longest = runs.map { $0.title.count + 1 + $0.details.count }.max() ?? 0
    func x(_ lane: Int) -> Int { 16 + lane * Self.lane }
    func y(_ run: Int) -> Int { 20 + (runs.count - 1 - run) * Self.row }
    func color(_ lane: Int) -> String { Self.colors[lane % Self.colors.count] }
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(x(width) + 16 + 9 * longest)" height="\(y(0) + 24)" \
      font-family="sans-serif" font-size="13">
      \(style)
      """
    for edge in edges {
      let (left, top) = (x(lanes[edge.child]), y(edge.child))
      let (right, bottom) = (x(lanes[edge.parent]), y(edge.parent))
      let half = Self.row / 2
      var path = "M\(left) \(top)C\(left) \(top + half) "
      if bottom - top > Self.row {
        let down = x(edge.lane)
        path += "\(down) \(top + half) \(down) \(top + Self.row)V\(bottom - Self.row)"
        path += "C\(down) \(bottom - half) "
      }
      path += "\(right) \(bottom - half) \(right) \(bottom)"
      text += "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color(edge.lane))\" "
      text += "stroke-width=\"2\"/>\n"
    }
    for (number, run) in runs.enumerated().reversed() {
      let (lane, height) = (lanes[number], y(number))
      text += "<circle cx=\"\(x(lane))\" cy=\"\(height)\" r=\"5\" fill=\"\(color(lane))\"/>"
      text += "<text x=\"\(x(width) + 8)\" y=\"\(height + 4)\">\(Self.escaped(run.title))"
      text += " <tspan class=\"d\">\(Self.escaped(run.details))</tspan></text>\n"
    }
    return text + "</svg>\n"
  }

  /// The lane that each run stands in, and the lines between them.
  ///
  /// O(n) for each lane. From the newest run down, a lane waits for the run that the one above
  /// follows first.
  private var placed: (lanes: [Int], edges: [Edge]) {
    var awaited: [Int?] = []
    var lanes = [Int](repeating: 0, count: runs.count)
    var edges: [Edge] = []
    func free() -> Int {
      if let lane = awaited.firstIndex(of: nil) { return lane }
      awaited.append(nil)
      return awaited.count - 1
    }
    for number in runs.indices.reversed() {
      let lane = awaited.firstIndex(of: number) ?? free()
      for other in awaited.indices where awaited[other] == number { awaited[other] = nil }
      lanes[number] = lane
      // The lane goes on to the first parent that no other lane leads to.
      for parent in runs[number].parents {
        let way = awaited.firstIndex(of: parent) ?? (awaited[lane] == nil ? lane : free())
        awaited[way] = parent
        edges.append(Edge(child: number, parent: parent, lane: way))
      }
    }
    return (lanes, edges)
  }

  private static func escaped(_ text: String) -> String {
    visibleText(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }
}

extension HistoryGraph.Run {
  /// `5f0c21ab9d3e4477.1` or, of many, also the last one.
  fileprivate var title: String { count == 1 ? "\(first)" : "\(first) to \(last)" }

  fileprivate var details: String {
    let time = start == end ? start.iso8601 : "\(start.iso8601) to \(end.iso8601)"
    return "\(authorName(author)), \(counted(count, "change")), \(time)"
  }
}
