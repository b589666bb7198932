import Peernote
import Testing

/// Films to watch, with ratings once they were watched.
struct FilmList: Codable, Equatable {
  var films: [Film] = []

  /// The films that nobody has rated yet and that fit into some time, the longest first.
  func unwatched(within minutes: Int) -> [Film] {
    films.filter { $0.rating == nil && $0.runtime <= minutes }
      .sorted { ($1.runtime, $0.title) < ($0.runtime, $1.title) }
  }
}

/// A film.
struct Film: Codable, Equatable, Identifiable {
  let id: Int
  var title: String
  var runtime: Int
  var rating: Int?
  @MergeableCounter var viewings: Int
}

/// A film list that a household shares.
@Suite struct FilmListExample {
  private func list() throws -> Document {
    let films = [("Alien", 117), ("Duel", 90), ("Heat", 170), ("Rope", 80)]
    let list = FilmList(
      films: films.enumerated().map { number, film in
        Film(id: number, title: film.0, runtime: film.1, rating: nil, viewings: 0)
      })
    var document = Document(id: exampleID(500))
    try document.encode(list, session: session("desk"))
    return document
  }

  @Test("what fits into the evening is asked of the model")
  func query() throws {
    let document = try list()
    let list = try document.decode(FilmList.self)
    #expect(list.unwatched(within: 100).map(\.title) == ["Duel", "Rope"])
  }

  @Test("ratings of both sides come together, viewings add up, and films are added by both")
  func merging() throws {
    let base = try list()
    var desk = try base.edited(FilmList.self, by: "desk") {
      $0.films[1].rating = 4
      $0.films[1].viewings += 1
      $0.films.append(Film(id: 10, title: "Jaws", runtime: 124, rating: nil, viewings: 0))
    }
    let phone = try base.edited(FilmList.self, by: "phone") {
      $0.films[3].rating = 5
      $0.films[1].viewings += 2
      $0.films.append(Film(id: 11, title: "M", runtime: 99, rating: nil, viewings: 0))
    }
    _ = try desk.merge(phone)
    let merged = try desk.decode(FilmList.self)
    #expect(merged.unwatched(within: 130).map(\.title) == ["Jaws", "Alien", "M"])
    #expect(merged.films[1].viewings == 3)
    #expect(Set(merged.films.map(\.id)) == [0, 1, 2, 3, 10, 11])
    #expect(desk.conflicts.isEmpty)
  }

  @Test("a rating that is taken back is a film to watch again")
  func takenBack() throws {
    let document = try list()
      .edited(FilmList.self, by: "desk", at: 1) { $0.films[3].rating = 5 }
      .edited(FilmList.self, by: "desk", at: 2) { $0.films[3].rating = nil }
    #expect(document.node(at: ["films", "3", "rating"]) == nil)
    #expect(try document.decode(FilmList.self).unwatched(within: 85).map(\.title) == ["Rope"])
  }
}
