/// The parts of a log in a row, so that no length has to be right.
///
/// The first byte chooses one of the golden documents. Then come columns and heads, each ended by
/// ``separator``, and the view; they replace those of that document as far as they are there.
package struct LogFrame {
  /// The document that was chosen.
  package let base: FuzzBase
  /// The document with the columns.
  package let file: ForgedFile

  /// Between two parts; no UTF-8, and no beginning of a canonical integer that occurs.
  package static let separator: [UInt8] = [0xF5, 0xF6]

  /// Takes any bytes for a frame.
  package init(_ bytes: [UInt8]) {
    let bases = FuzzBase.all
    base = bases[Int(bytes.first ?? 0) % bases.count]
    var file = base.file
    let parts = Self.parts(bytes.dropFirst())
    for (part, column) in zip(parts, ForgedFile.Log.columns) { file.log[keyPath: column] = part }
    // What stands as text in a file has to be text to get past the CBOR reader.
    file.log.deleted = Array(String(decoding: file.log.deleted, as: UTF8.self).utf8)
    let rest = parts.dropFirst(ForgedFile.Log.columns.count)
    if let heads = rest.first, !heads.isEmpty { file.heads = heads }
    // The view comes last, since its texts and bytes can hold anything.
    let view = Array(rest.dropFirst().joined(separator: Self.separator))
    if let view = CBORTree(view, depthLimit: 64) { file.view = view }
    self.file = file
  }

  /// The frame of a golden document as it is.
  package static func bytes(ofBase index: Int) -> [UInt8] {
    let file = FuzzBase.all[index].file
    var bytes = [UInt8(index)]
    for column in ForgedFile.Log.columns { bytes += file.log[keyPath: column] + separator }
    return bytes + file.heads + separator + file.view.encoded
  }

  private static func parts(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == separator[0], rest.first == separator[1] {
        rest.removeFirst()
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    return parts
  }
}
