import PeernoteDigest
import Peernote

/// Deltas, which apps get from others over a network.
extension FuzzTarget {
  /// How many bytes of a delta are its check.
  private static let checkSize = 9

  /// The number of a base, and a delta of it without its check, which is added.
  static func deltaFaults(_ bytes: [UInt8]) -> [String] {
    guard let number = bytes.first else { return [] }
    let base = FuzzBase.all[Int(number) % FuzzBase.all.count]
    let delta = checked(bytes.dropFirst())
    return base.goods.flatMap { faults(applying: delta, to: $0) }
  }

  private static func faults(applying delta: [UInt8], to document: Document) -> [String] {
    var copy = document
    do throws(DeltaError) {
      try copy.apply(delta)
    } catch {
      return copy.bytes() == document.bytes()
        ? [] : ["a delta was refused (\(error)), and the document is another one"]
    }
    let bytes = copy.bytes()
    var faults = Document.validate(bytes: bytes).map { "a delta leads to what is unsound: \($0)" }
    if !document.changes.allSatisfy({ copy.contains($0.id) }) {
      faults.append("a delta takes changes away")
    }
    do throws(DeltaError) {
      try copy.apply(delta)
      if copy.bytes() != bytes { faults.append("a delta changes more when it comes twice") }
    } catch {
      faults.append("a delta is refused when it comes twice: \(error)")
    }
    return faults
  }

  /// What the whole of each base has that its middle lacks.
  static var deltaSeeds: [[UInt8]] {
    FuzzBase.all.enumerated().compactMap { number, base in
      let half = base.goods.dropFirst().first?.heads ?? []
      guard let delta = try? base.goods[0].delta(since: half) else { return nil }
      return [UInt8(number)] + delta.dropLast(checkSize)
    }
  }

  private static func checked(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes + [0x48] + SHA256.hash(bytes).prefix(checkSize - 1)
  }
}
