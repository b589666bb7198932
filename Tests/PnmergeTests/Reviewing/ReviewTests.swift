import Peernote
import PnmergeCommands
import Testing

@Suite("The model of a review") struct ReviewTests {
  private let parting: Document
  private let ours: Document
  private let theirs: Document
  private let merged: Document

  private static func session(_ agent: UInt64, _ author: String) -> Session {
    Session(
      agent: AgentID(rawValue: agent), author: author,
      time: Timestamp(milliseconds: 1_795_000_000_000 + Int64(agent)))
  }

  private static func path(_ tokens: String...) -> JSONPointer { JSONPointer(tokens) }

  /// Both set the title, put a set of tags, and reword a line; one removes a row that the other
  /// edits, in which both set the place.
  init() throws {
    var start = Document(id: UniqueID(high: 7, low: 9))
    let row = Node.map([
      .init(key: "place", node: .value(.string("Hall"))),
      .init(key: "title", node: .value(.string("Venue"))),
    ])
    try start.change(by: Self.session(1, "ada")) { editor in
      try editor.put(.string("Meeting"), at: Self.path("title"))
      try editor.put(node: .text("We meet in the hall at noon.\n"), at: Self.path("body"))
      try editor.put(node: .list([row]), at: Self.path("rows"))
    }
    parting = start
    func edited(
      _ agent: UInt64, _ author: String, _ title: String, _ tag: String, _ words: String
    ) throws -> Document {
      var copy = start
      try copy.change(by: Self.session(agent, author)) { editor in
        try editor.put(.string(title), at: Self.path("title"))
        try editor.put(node: .set([.string(tag)]), at: Self.path("tags"))
        try editor.spliceText(at: Self.path("body"), scalars: 15..<19, with: words)
        try editor.put(.string(title), at: Self.path("rows", "0", "place"))
      }
      return copy
    }
    ours = try edited(2, "ada", "Board", "x", "old hall")
    theirs = try edited(3, "bob", "Staff", "y", "great hall")
    var both = ours
    _ = try both.merge(theirs)
    merged = both
  }

  private func review() throws -> Review {
    var both = ours
    let report = try both.merge(theirs)
    return Review(
      of: report.conflicts, in: merged, ours: ours, since: parting,
      Divergence(between: ours, and: theirs, since: parting))
  }

  private func index(_ name: String, _ review: Review) throws -> Int {
    try #require(
      review.questions.firstIndex { $0.conflict.path.description == name }, "\(review.questions)")
  }

  private func settled(_ review: Review) throws -> Node {
    var document = merged
    _ = try review.settle(&document, by: Self.session(4, "ada"))
    return document.root
  }

  @Test("each place has a name, what stood there before, and both sides")
  func questions() throws {
    let review = try review()
    let place = review.questions[try index("/rows/0/place", review)]
    #expect(place.name == PlaceName([.key("rows"), .titled("Venue"), .key("place")]))
    #expect(place.before.node == .value(.string("Hall")))
    let sides = [place.conflict.kept] + place.conflict.others
    #expect(sides[try #require(place.mine)].node == .value(.string("Board")))
    #expect(sides[try #require(place.theirs)].node == .value(.string("Staff")))
    let tags = review.questions[try index("/tags", review)]
    #expect(tags.before.isKnown && tags.before.node == nil)
    #expect(tags.mine != nil && tags.theirs != nil)
    #expect(review.open.count == review.questions.count)
  }

  @Test("taking a side settles its place, and no other")
  func sides() throws {
    for (party, title) in [(Review.Party.mine, "Board"), (.theirs, "Staff")] {
      var review = try review()
      let title_ = try index("/title", review)
      let isTaken = review.take(party, at: title_)
      #expect(isTaken)
      #expect(review.result(at: title_) == .value(.string(title)))
      #expect(!review.open.contains(title_) && review.open.count == review.questions.count - 1)
      #expect(try settled(review)["title"] == .value(.string(title)))
    }
  }

  @Test("one party's sides are taken for all that is left, and given back at one go")
  func all() throws {
    var review = try review()
    let title = try index("/title", review)
    review.take(.theirs, at: title)
    let count = review.takeAll(.mine)
    #expect(count == review.questions.count - 1 && review.open.isEmpty)
    let root = try settled(review)
    #expect(root["title"] == .value(.string("Staff")))
    #expect(root["tags"] == .set([.string("x")]))
    #expect(root["body"] == .text("We meet in the old hall at noon.\n"))
    let undone = review.undo()
    #expect(undone != nil && review.open.count == review.questions.count - 1)
    let last = [review.undo(), review.undo()]
    #expect(last == [title, nil])
  }

  @Test("sets and lists are united, values are not")
  func both() throws {
    var review = try review()
    let tags = try index("/tags", review)
    let title = try index("/title", review)
    #expect(review.canTakeBoth(at: tags) && !review.canTakeBoth(at: title))
    let areTaken = [review.takeBoth(at: tags), review.takeBoth(at: title)]
    #expect(areTaken == [true, false])
    #expect(review.result(at: tags) == .set([.string("x"), .string("y")]))
    #expect(try settled(review)["tags"] == .set([.string("x"), .string("y")]))
  }

  @Test("what somebody wrote stands there")
  func edited() throws {
    var review = try review()
    let title = try index("/title", review)
    review.take(edited: .value(.string("All")), at: title)
    #expect(try settled(review)["title"] == .value(.string("All")))
    review.take(side: 99, at: title)
    #expect(review.result(at: title) == .value(.string("All")))
    #expect(review.questions(holding: "STAFF").contains(title))
    #expect(review.questions(holding: "nowhere").isEmpty)
  }

  @Test("what is inside of what goes is decided with it")
  func inside() throws {
    var gone = ours
    try gone.change(by: Self.session(5, "ada")) { try $0.remove(at: Self.path("rows", "0")) }
    var both = gone
    let report = try both.merge(theirs)
    var review = Review(
      of: report.conflicts, in: both, ours: gone, since: parting,
      Divergence(between: gone, and: theirs, since: parting))
    let row = try index("/rows/0", review)
    let place = try index("/rows/0/place", review)
    let isTaken = review.take(.mine, at: row)
    #expect(isTaken && review.isGone(place) && !review.open.contains(place))
    _ = try review.settle(&both, by: Self.session(6, "ada"))
    #expect(both.root["rows"] == .list([]))
    _ = review.undo()
    #expect(!review.isGone(place) && review.open.contains(place))
  }
}
