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
    file = Self.file(base.file, with: bytes.dropFirst())
  }

  /// A file with the columns, heads and view that a frame's parts say, as far as they are there.
  static func file(_ base: ForgedFile, with bytes: ArraySlice<UInt8>) -> ForgedFile {
    var file = base
    var rest = bytes
    for column in ForgedFile.Log.columns where !rest.isEmpty {
      file.log[keyPath: column] = takePart(&rest)
    }
    // What stands as text in a file has to be text to get past the CBOR reader.
    file.log.deleted = Array(String(decoding: file.log.deleted, as: UTF8.self).utf8)
    let heads = takePart(&rest)
    if !heads.isEmpty { file.heads = heads }
    // The view comes last, since its texts and bytes can hold anything.
    if let view = CBORTree(Array(rest), depthLimit: 64) { file.view = view }
    return file
  }

  /// The frame of a golden document as it is.
  package static func bytes(ofBase index: Int) -> [UInt8] {
    [UInt8(index)] + parts(of: FuzzBase.all[index].file)
  }

  /// The parts that make a file as it is.
  static func parts(of file: ForgedFile) -> [UInt8] {
    ForgedFile.Log.columns.flatMap { file.log[keyPath: $0] + separator }
      + file.heads + separator + file.view.encoded
  }

  /// Takes what stands before the next separator, or all that is left, away from the beginning.
  static func takePart(_ bytes: inout ArraySlice<UInt8>) -> [UInt8] {
    let end = bytes.indices.first { bytes[$0...].starts(with: separator) } ?? bytes.endIndex
    let part = Array(bytes[..<end])
    bytes = bytes[end...].dropFirst(separator.count)
    return part
  }
}
