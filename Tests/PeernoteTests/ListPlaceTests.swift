import Peernote
import PeernoteTestSupport
import Testing

/// Where an author may place a list's element: between two slots that followed each other for them.
@Suite struct ListPlaceTests {
  private static let id = UniqueID(high: 1, low: 2)
  private static let start = ChangeID(agent: AgentID(rawValue: 1), sequence: 1)
  private static let list = ContainerID.created(event(start, 0))

  private static func event(_ change: ChangeID, _ index: Int) -> EventID {
    EventID(change: change, index: index)
  }

  private static func insertion(_ value: Int, _ left: EventID?, _ right: EventID?) -> Edit {
    .insertElements(
      list: list, at: ListPlace(left: left, right: right),
      contents: [.value(.integer(Int64(value)))])
  }

  /// Three elements, and two sides that insert beside and between them without seeing each other.
  private static let base: [Change] = {
    let elements = (1...3).map { event(start, $0) }
    let one = ChangeID(agent: AgentID(rawValue: 2), sequence: 1)
    let other = ChangeID(agent: AgentID(rawValue: 3), sequence: 1)
    return [
      Change(
        1, after: [],
        [
          .put(map: .root, key: "list", content: .container(.list)),
          .insertElements(
            list: list, at: ListPlace(left: nil, right: nil),
            contents: (1...3).map { .value(.integer($0)) }),
        ]),
      Change(
        2, after: [start],
        [
          insertion(4, elements[0], elements[1]), insertion(5, event(one, 0), elements[1]),
          insertion(6, nil, elements[0]), insertion(7, elements[2], nil),
        ]),
      Change(
        3, after: [start],
        [
          insertion(8, elements[0], elements[1]), insertion(9, elements[0], event(other, 0)),
          insertion(10, elements[2], nil),
        ]),
    ]
  }()

  /// The events that made the elements, in the order of what some changes lead to.
  private static func order(of changes: [Change]) throws -> [EventID] {
    let document = try Document(id: id, changes: changes)
    guard case .list(let nodes) = document.node(at: ["list"]) else { return [] }
    return nodes.map { node in
      switch node {
      case .value(.integer(let value)) where value <= 3: event(start, Int(value))
      case .value(.integer(let value)) where value <= 7: event(base[1].id, Int(value) - 4)
      case .value(.integer(let value)) where value <= 10: event(base[2].id, Int(value) - 8)
      case .value(.integer(let value)):
        event(ChangeID(agent: AgentID(rawValue: 4), sequence: 1), Int(value) - 11)
      case _: preconditionFailure("the list holds numbers")
      }
    }
  }

  /// All pairs of a place, and which of them are places in a list.
  private static func pairs(
    among all: [EventID], in list: [EventID]
  ) -> [(left: EventID?, right: EventID?, isPlace: Bool)] {
    let ends: [EventID?] = [nil] + all
    let places: [[EventID?]] = zip([nil] + list, list + [nil]).map { [$0, $1] }
    return ends.flatMap { left in
      ends.map { right in (left, right, places.contains([left, right])) }
    }
  }

  @Test(
    "an element is placed between two that followed each other for its author, or the file is none",
    arguments: [[1], [2], [3], [2, 3]], [false, true])
  func places(seen: [Int], isMove: Bool) throws {
    let all = try Self.order(of: Self.base)
    let parents = seen.map { Self.base[$0 - 1].id }
    let known = try Self.order(
      of: Self.base.filter { $0.id == Self.start || parents.contains($0.id) })
    var count = 0
    for (left, right, isPlace) in Self.pairs(among: all, in: known) {
      let edit =
        isMove
        ? Edit.moveElement(
          list: Self.list, element: Self.event(Self.start, 2),
          to: ListPlace(left: left, right: right))
        : Self.insertion(11, left, right)
      let changes = Self.base + [Change(4, after: parents, [edit])]
      let isSeen = [left, right].compactMap(\.self).allSatisfy(known.contains)
      let place = "\(String(describing: (left, right)))"
      do {
        let bytes = try Document(id: Self.id, changes: changes).bytes()
        // What a file names that its author had not seen is found when it is checked or merged.
        let faults = isSeen ? [] : [HistoryError.Reason.unknownElement.description]
        #expect(Set(Document.validate(bytes: bytes).map(\.reason)) == Set(faults), "\(place)")
        #expect(isPlace || !isSeen, "\(place)")
        if isPlace { count += 1 }
      } catch {
        let reason: HistoryError.Reason = isSeen ? .notNeighbours : .unknownElement
        #expect(error.reason == reason.description, "\(place)")
        #expect(!isPlace, "\(place)")
      }
    }
    #expect(count == known.count + 1)
  }

  @Test(
    "whoever places a second element sees the first, however much stands beside it unseen",
    arguments: [[1], [2], [3]])
  func secondPlaces(seen: [Int]) throws {
    let parents = seen.map { Self.base[$0 - 1].id }
    let known = Self.base.filter { $0.id == Self.start || parents.contains($0.id) }
    let before = try Self.order(of: known)
    for (left, right, isPlace) in Self.pairs(among: before, in: before) where isPlace {
      let first = Self.insertion(11, left, right)
      let list = try Self.order(of: known + [Change(4, after: parents, [first])])
      for (left, right, isPlace) in Self.pairs(among: list, in: list) {
        let change = Change(4, after: parents, [first, Self.insertion(12, left, right)])
        let document = try? Document(id: Self.id, changes: Self.base + [change])
        #expect((document != nil) == isPlace, "\(String(describing: (left, right)))")
      }
    }
  }
}
