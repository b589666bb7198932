import AutomergeFormat
import Foundation
import PeernoteJSON
import PeernoteTestSupport

/// The files in `Fixtures/meetingnotes`.
enum Samples {
  static let directory = Repository.path("Fixtures/meetingnotes")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appending(path: name)))
  }

  static func json(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: directory.appending(path: name))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  static func history(_ names: String...) throws -> AutomergeHistory {
    try AutomergeHistory(try names.map { try AutomergeFile(bytes($0)).source })
  }
}

/// JSON as one text, to be compared.
func text(_ json: Any?) throws -> String {
  guard let json else { return "nothing" }
  let data = try JSONSerialization.data(
    withJSONObject: json, options: [.sortedKeys, .fragmentsAllowed])
  return String(decoding: data, as: UTF8.self)
}

extension AutomergeState {
  /// What an object shows, as JSON; scalars other than strings do not occur in the samples.
  func json(ofObject object: Int) -> Any {
    switch kind(ofObject: object) {
    case .text: return text(ofObject: object)
    case .list: return cells(ofObject: object).map { json(shown($0)) }
    case .map:
      return Dictionary(
        uniqueKeysWithValues: cells(ofObject: object).map {
          (key($0) ?? "", json(shown($0)))
        })
    }
  }

  func json(_ place: Int32) -> Any {
    if let object = object(madeBy: place) { return json(ofObject: object) }
    if case .string(let text) = value(place) { return text }
    return "\(value(place))"
  }

  /// The heads, and one line for every place, as `automerge_peer.py` prints them without marks.
  var lines: [String] {
    var result = history.heads.map { "head \($0)" } + [" map"]
    for cell in shownCells {
      var path = ""
      var object = 0
      for token in self.path(ofCell: cell) {
        let isList = kind(ofObject: object) == .list
        path += "/" + (isList ? token : hexadecimal(token.utf8))
        let cells = cells(ofObject: object)
        let cell = isList ? Int(token).map { cells[$0] } : self.cell(token, ofObject: object)
        if let cell, let inner = self.object(madeBy: shown(cell)) { object = inner }
      }
      result.append("\(path) \(line(shown(cell)))")
    }
    return result
  }

  private func line(_ place: Int32) -> String {
    switch value(place) {
    case .object(.map): return "map"
    case .object(.list): return "list"
    case .object(.text):
      return "text \(hexadecimal(text(ofObject: object(madeBy: place) ?? 0).utf8))"
    case .null: return "null "
    case .bool(let value): return "bool \(value)"
    case .unsigned(let value): return "unsigned \(value)"
    case .integer(let value): return "integer \(value)"
    case .double(let bits):
      let digits = String(bits, radix: 16)
      return "double " + String(repeating: "0", count: 16 - digits.count) + digits
    case .string(let value): return "string \(hexadecimal(value.utf8))"
    case .bytes(let value): return "bytes \(hexadecimal(value))"
    case .counter(let value): return "counter \(value)"
    case .timestamp(let value): return "timestamp \(value)"
    case .unknown(let type, let value): return "unknown \(type) \(hexadecimal(value))"
    }
  }
}
