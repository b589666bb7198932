extension Array where Element: Equatable {
  /// Whether some elements stand somewhere in the array, right after each other.
  ///
  /// O(n), by the search of Knuth, Morris and Pratt.
  func holds(_ wanted: [Element]) -> Bool {
    guard !wanted.isEmpty else { return true }
    // For each beginning of what is wanted how much of its end is a beginning, too.
    var borders = [0]
    var length = 0
    for element in wanted.dropFirst() {
      while length > 0, wanted[length] != element { length = borders[length - 1] }
      if wanted[length] == element { length += 1 }
      borders.append(length)
    }
    length = 0
    for element in self {
      while length > 0, wanted[length] != element { length = borders[length - 1] }
      if wanted[length] == element { length += 1 }
      if length == wanted.count { return true }
    }
    return false
  }
}
