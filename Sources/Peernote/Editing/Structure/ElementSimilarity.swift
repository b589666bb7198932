/// How like two elements of lists are, where what many elements of a list have in common counts
/// less.
struct ElementSimilarity {
  /// How like two elements are.
  struct Likeness {
    /// In thousandths.
    var share: Int
    /// Whether they may be two elements nevertheless.
    var isDoubtful = false
  }

  /// Elements of a list that are looked at to learn what is common.
  private static let sampleSize = 256
  /// What a feature that only one element has is multiplied with.
  private static let unit: Int32 = 64

  /// In how many of the sampled elements a feature occurs, in the list where it occurs more often.
  private var occurrences: [Int: Int32] = [:]
  /// In how many of the sampled elements a member occurs, in the list where it occurs more often.
  private var memberOccurrences: [Int: Int32] = [:]
  /// What all sampled elements of both lists have.
  private var common: Set<Int> = []
  /// Where all sampled elements have an integer or a time that no other of their list has; of such
  /// places those where most of them are found in both lists.
  private var keyColumns: Set<Int> = []
  /// Whether both lists have one element.
  let haveOneEach: Bool

  /// Learns from two lists.
  ///
  /// O(f) for f features of the sampled elements.
  ///
  /// - Parameters:
  ///   - oldCount: how many elements there were.
  ///   - newCount: how many there are to be.
  ///   - features: what an element is made of.
  init(
    samplingOld oldCount: Int, new newCount: Int,
    _ features: (ElementNumbers.Place) -> ElementFeatures
  ) {
    haveOneEach = oldCount == 1 && newCount == 1
    let old = Sample(oldCount, Self.sampleSize) { features(.old($0)) }
    let new = Sample(newCount, Self.sampleSize) { features(.new($0)) }
    occurrences = old.occurrences.merging(new.occurrences, uniquingKeysWith: max)
    memberOccurrences = old.memberOccurrences.merging(new.memberOccurrences, uniquingKeysWith: max)
    let others = new.keyColumns
    let found = old.keyColumns.map { column, features in
      (column: column, count: features.intersection(others[column] ?? []).count)
    }.filter { $0.count > 0 }
    let most = found.map(\.count).max()
    keyColumns = Set(found.filter { $0.count == most }.map(\.column))
    // One element on either side tells nothing about others.
    if old.count + new.count > 2 { common = old.common.intersection(new.common) }
  }

  /// What a feature tells that weighs so much.
  func weight(_ feature: Int, _ weight: Int32) -> Int {
    Int(weight) * Int(Self.unit) / Int(max(1, occurrences[feature] ?? 1))
  }

  /// What all features of an element tell.
  private func total(_ element: ElementFeatures) -> Int {
    element.weights.reduce(0) { $0 + weight($1.key, $1.value) }
  }

  /// What the features of an element tell at least that is found again in a larger one.
  private static let leastTotal = 3 * Int(unit)
  /// How like a larger element is to one that it has all of, one element to another with the same
  /// value where no two of a list have the same, and one to another of which at most half is
  /// different, at least.
  private static let containing = 400
  /// How like elements without words are at least that are the same though such a value differs.
  private static let leastWithoutKey = 500
  /// The least share of a row of numbers that is the same row edited, however common they are.
  private static let leastRow = 500
  /// Rows whose uncommon numbers have less in common are as like others.
  private static let commonRow = 300

  /// The share of two elements' features that both have.
  ///
  /// It is more if one has all of the other, which says enough: much may be added to an element. So
  /// it is if they have the same number or time where it tells the elements of either list apart;
  /// where that differs, they may be two, and are if they have less than half in common. And so it is
  /// if at least half of their members are the same, with words that no other has: one long member
  /// that is written anew makes no other element. Elements without words have nothing in common by
  /// truth values alone, nor by what all elements have. Rows of numbers are alike by all of them,
  /// since that is all they have.
  func likeness(_ first: ElementFeatures, _ second: ElementFeatures) -> Likeness {
    let (small, large) =
      first.weights.count <= second.weights.count ? (first, second) : (second, first)
    let haveWords = first.hasWords && second.hasWords
    var (shared, plainShared) = (0, 0)
    var isTelling = haveWords || first.shape != .map
    for (feature, own) in small.weights {
      guard let other = large.weights[feature] else { continue }
      shared += weight(feature, min(own, other))
      plainShared += Int(min(own, other))
      if !isTelling { isTelling = !common.contains(feature) && !small.flags.contains(feature) }
    }
    if !isTelling { return Likeness(share: 0) }
    let totals = (total(first), total(second))
    let least = min(totals.0, totals.1)
    let isContained = shared == least && least >= Self.leastTotal && small.hasWords
    var share = totals.0 + totals.1 == 0 ? 0 : 2000 * shared / (totals.0 + totals.1)
    let keys = haveWords ? nil : compareKeys(first, second)
    if isContained || keys?.haveOne == true || haveSameMembers(first, second) {
      share = max(share, Self.containing)
    }
    let differ = keys?.differ == true
    if differ && keys?.haveOne == false && share < Self.leastWithoutKey { share = 0 }
    let likeness = Likeness(share: share, isDoubtful: differ)
    guard first.isNumberRow, second.isNumberRow else { return likeness }
    let all = (first.weights.values.reduce(0, +), second.weights.values.reduce(0, +))
    let plain = 2000 * plainShared / max(1, Int(all.0) + Int(all.1))
    if plain < Self.leastRow || plain <= share { return likeness }
    return Likeness(
      share: plain, isDoubtful: likeness.isDoubtful || share < Self.commonRow)
  }

  /// Whether at least half of the members of two elements are the same, one of them with words that no
  /// other element has.
  private func haveSameMembers(_ first: ElementFeatures, _ second: ElementFeatures) -> Bool {
    let shared = first.members.filter { second.members[$0.key] != nil }
    return 2 * shared.count >= max(first.members.count, second.members.count)
      && shared.contains { $0.value && memberOccurrences[$0.key] ?? 0 <= 1 }
  }

  /// Whether two elements have one number or time where no two of a list have the same, and whether
  /// one of these differs.
  private func compareKeys(
    _ first: ElementFeatures, _ second: ElementFeatures
  ) -> (haveOne: Bool, differ: Bool) {
    var (haveOne, differ) = (false, false)
    for column in keyColumns {
      guard let own = first.columns[column], let other = second.columns[column] else { continue }
      if own == other { haveOne = true } else { differ = true }
    }
    return (haveOne, differ)
  }
}

/// What some elements of a list have in common.
private struct Sample {
  private(set) var count = 0
  private(set) var occurrences: [Int: Int32] = [:]
  private(set) var memberOccurrences: [Int: Int32] = [:]
  /// Where they have an integer or a time, how many have one and which ones they are.
  private var columns: [Int: (count: Int, features: Set<Int>)] = [:]

  init(_ total: Int, _ size: Int, _ features: (Int) -> ElementFeatures) {
    for index in stride(from: 0, to: total, by: max(1, total / size)) {
      let element = features(index)
      count += 1
      for feature in element.weights.keys { occurrences[feature, default: 0] += 1 }
      for member in element.members.keys { memberOccurrences[member, default: 0] += 1 }
      for (column, feature) in element.columns {
        columns[column, default: (0, [])].count += 1
        columns[column]?.features.insert(feature)
      }
    }
  }

  /// What all of them have.
  var common: Set<Int> { Set(occurrences.filter { Int($0.value) == count }.keys) }

  /// Where all of them have an integer or a time, each another one, and which ones.
  var keyColumns: [Int: Set<Int>] {
    columns.filter { $0.value.count == count && $0.value.features.count == count }
      .mapValues(\.features)
  }
}
