import Peernote
import Testing

@Suite("Which version a file was made from, where nothing says it")
struct PlainBaseTests {
  private static let starts = [
    "Packing list for Rome\nTake the red apples\nTake the green pears\n",
    "- red apples\n- the green pears\n- enormous watermelons\n",
    "# List\n- apples\n- pears\n",
  ]
  private static let added = "Call the hotel\nPrint the train tickets\n"

  private func file(_ text: String, _ seconds: Int64, isSavedHere: Bool = false) -> PlainFile {
    PlainFile(
      text: text, modified: Timestamp(milliseconds: 1_795_000_000_000 + seconds * 1000),
      isSavedHere: isSavedHere)
  }

  @Test(
    "a copy that moves a line is an edit of the version whose lines it has",
    arguments: [
      [0, 2, 1], [1, 0, 2], [2, 0, 1], [2, 1, 0], [1, 2, 0],
    ], ["", "Buy stamps\n", "Sell the old car\nMore\n"])
  func moved(order: [Int], more: String) throws {
    let addeds = [Self.added, "Call the hotel\n", "- plums\n- figs\n"]
    for (text, added) in Self.starts.flatMap({ text in addeds.map { (text, $0) } }) {
      let lines = text.split(separator: "\n")
      let moved = order.map { lines[$0] + "\n" }.joined()
      let start = file(text, 0)
      var history = try PlainHistory(
        id: UniqueID(randomBits: 1, 2), text: start.text, time: start.modified)
      let desk = file(start.text + added, 10)
      _ = try history.record(desk, memory: nil, copies: [])
      let copy = file(moved + added + more, 20)
      _ = try history.record(copy: copy, of: desk)
      #expect(history.text == copy.text)
    }
  }
}
