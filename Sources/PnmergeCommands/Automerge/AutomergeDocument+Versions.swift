import AutomergeFormat
import Peernote
import PeernoteJSON

extension AutomergeDocument {
  /// What the document showed at a version; without names at present.
  ///
  /// The version has the named changes and all before them. A name is the beginning of a hash, or
  /// that which ``ChangeID`` gives.
  func root(at names: [String]) throws(Failure) -> Node {
    guard !names.isEmpty else { return state.root }
    var included = [Bool](repeating: false, count: history.changes.count)
    for name in names { included[try change(named: name)] = true }
    for number in history.order.reversed() where included[number] {
      for parent in history.parents[number] { included[Int(parent)] = true }
    }
    return AutomergeState(history, including: included).root
  }

  private func change(named name: String) throws(Failure) -> Int {
    let digits = name.lowercased()
    guard !digits.isEmpty else {
      throw Failure(.usage, file: copy.file, "\(quoted(name)) is not the ID of a change")
    }
    let found = history.order.filter {
      history.changes[$0].hash.description.hasPrefix(digits)
        || history.changeID($0).description == digits
    }
    guard let change = found.first else {
      throw Failure(.usage, file: copy.file, "there is no change \(quoted(name))")
    }
    guard found.count == 1 else {
      throw Failure(.usage, file: copy.file, "more than one change ID begins with \(quoted(name))")
    }
    return change
  }
}
