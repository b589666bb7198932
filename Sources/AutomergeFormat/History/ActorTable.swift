/// The actors of a history, numbered in the order of their bytes.
package struct ActorTable: Sendable {
  /// The actors' bytes, by number.
  package let actors: [[UInt8]]
  private let numbers: [[UInt8]: UInt32]

  /// Numbers actors that are given in any order, some perhaps more than once.
  init(_ all: some Sequence<[UInt8]>) {
    actors = Set(all).sorted { $0.lexicographicallyPrecedes($1) }
    numbers = Dictionary(
      uniqueKeysWithValues: actors.enumerated().map { ($1, UInt32($0)) })
  }

  /// The number of an actor that is in the table.
  subscript(actor: [UInt8]) -> UInt32 {
    guard let number = numbers[actor] else { preconditionFailure("all actors are in the table") }
    return number
  }
}
