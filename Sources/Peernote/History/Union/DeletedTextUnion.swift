/// Brings the deleted text of two copies together: what either has redacted stays redacted.
struct DeletedTextUnion {
  /// Consecutive deletions of the union, with the number of the first in each log that has them.
  private struct Run {
    var ours: Int32?
    var theirs: Int32?
    var count: Int32
  }

  private var runs: [Run] = []
  private var nextOurs: Int32 = 0
  private var nextTheirs: Int32 = 0

  /// Appends the next deletions of the sides that hold them.
  mutating func append(_ count: Int32, of sides: Sides) {
    if count == 0 { return }
    let run = Run(
      ours: sides.contains(.ours) ? nextOurs : nil,
      theirs: sides.contains(.theirs) ? nextTheirs : nil, count: count)
    if sides.contains(.ours) { nextOurs += count }
    if sides.contains(.theirs) { nextTheirs += count }
    if let last = runs.last, (last.ours == nil) == (run.ours == nil),
      (last.theirs == nil) == (run.theirs == nil)
    {
      runs[runs.count - 1].count += count
    } else {
      runs.append(run)
    }
  }

  /// The united text; `nil` if the two logs name different scalars for one deletion.
  ///
  /// O(bytes + redacted ranges). Ours has the text of the deletions `takenOut`, by their number in
  /// the union, and theirs has redacted it. What one side still knows of what the other has
  /// redacted is `redacted`.
  func united(
    _ ours: DeletedText, _ theirs: DeletedText
  ) -> (text: DeletedText, takenOut: [Range<Int32>], redacted: [String])? {
    var result = DeletedText()
    var takenOut: [Range<Int32>] = []
    var redacted: [String] = []
    let shared = runs.reduce(0) { $1.ours == nil || $1.theirs == nil ? $0 : $0 + Int($1.count) }
    result.reserve(bytes: ours.text.utf8.count + max(0, theirs.text.utf8.count - shared))
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    var agree = true
    for run in runs {
      switch (run.ours, run.theirs) {
      case (let start?, nil):
        result.append(ours, in: start..<start + run.count, from: &ourPlace)
      case (nil, let start?):
        result.append(theirs, in: start..<start + run.count, from: &theirPlace)
      case (let start?, let theirStart?):
        ours.forEachPart(in: start..<start + run.count) { part, firstScalar in
          let other = part.lowerBound - start + theirStart
          theirs.forEachPart(in: other..<other + Int32(part.count)) { piece, theirScalar in
            guard let firstScalar, let theirScalar else {
              if let firstScalar {
                takenOut.append(result.count..<result.count + Int32(piece.count))
                let scalar = firstScalar + Int(piece.lowerBound - other)
                let from = ours.text.place(ofScalar: scalar, from: ourPlace)
                ourPlace = ours.text.place(ofScalar: scalar + piece.count, from: from)
                redacted.append(ours.text.string(from: from, to: ourPlace))
              } else if let theirScalar {
                let from = theirs.text.place(ofScalar: theirScalar, from: theirPlace)
                theirPlace = theirs.text.place(ofScalar: theirScalar + piece.count, from: from)
                redacted.append(theirs.text.string(from: from, to: theirPlace))
              }
              result.appendRedacted(Int32(piece.count))
              return
            }
            let ourScalar = firstScalar + Int(piece.lowerBound - other)
            let from = ours.text.place(ofScalar: ourScalar, from: ourPlace)
            ourPlace = ours.text.place(ofScalar: ourScalar + piece.count, from: from)
            let theirFrom = theirs.text.place(ofScalar: theirScalar, from: theirPlace)
            theirPlace = theirs.text.place(ofScalar: theirScalar + piece.count, from: theirFrom)
            if !ours.text.isSame(
              from: from, to: ourPlace, as: theirs.text, from: theirFrom, to: theirPlace)
            {
              agree = false
            }
            result.append(ours.text, from: from, to: ourPlace)
          }
        }
      case (nil, nil):
        preconditionFailure("a deletion stands in one of the logs at least")
      }
    }
    return agree ? (text: result, takenOut: takenOut, redacted: redacted) : nil
  }
}
