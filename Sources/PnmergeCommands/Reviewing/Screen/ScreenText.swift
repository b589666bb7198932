import PeernoteJSON

/// Text of one row as it can be shown: tabs are four blanks, what could act on the terminal is made
/// visible, and emoji that are joined stand side by side with `+` between.
///
/// Terminals disagree on how many columns joined ones take, and what is drawn over them would be
/// drawn in the wrong place.
func safeForScreen(_ text: String) -> String {
  let text = visibleText(text.replacing("\t", with: "    "))
  guard text.unicodeScalars.contains(where: \.joinsEmoji) else { return text }
  var result = String.UnicodeScalarView()
  let scalars = Array(text.unicodeScalars)
  for (index, scalar) in scalars.enumerated() {
    let before = scalars[..<index].last(where: { $0.value != 0xFE0F })
    let isAfterPicture = before.map(\.isPicture) == true
    let isBeforePicture = index + 1 < scalars.count && scalars[index + 1].isPicture
    switch scalar.value {
    case 0x200D where isAfterPicture && isBeforePicture: result.append("+")
    case 0x1F3FB...0x1F3FF where isAfterPicture: result.append(contentsOf: ["+", scalar])
    // How a character is to be drawn, and so how wide.
    case 0xFE0E, 0xFE0F: break
    default: result.append(scalar)
    }
  }
  return String(result)
}

extension Unicode.Scalar {
  /// Whether it makes the width of a character depend on what it is joined with.
  fileprivate var joinsEmoji: Bool {
    [0x200D, 0xFE0E, 0xFE0F].contains(value) || properties.isEmojiModifier
  }

  /// Whether it may be part of joined emoji.
  fileprivate var isPicture: Bool { properties.isEmoji && value > 0xFF }
}

/// Cuts text to rows of a screen.
struct ScreenText {
  /// How many columns a character takes.
  let columns: (Character) -> Int

  /// The columns that text takes.
  func width(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

  /// The text cut to a width, with an ellipsis where something is missing.
  func cut(_ text: String, to width: Int) -> String {
    if self.width(text) <= width { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = columns(character)
      if used + next > width - 1 { break }
      result.append(character)
      used += next
    }
    return width > 0 ? result + "…" : ""
  }

  /// The row cut to a width.
  func cut(_ row: ScreenRow, to width: Int) -> ScreenRow {
    var pieces: [ScreenRow.Piece] = []
    var left = width
    for piece in row.pieces {
      var piece = piece
      let wanted = self.width(piece.text)
      piece.text = cut(piece.text, to: left)
      if !piece.text.isEmpty { pieces.append(piece) }
      left -= wanted
      if left <= 0 { break }
    }
    return ScreenRow(pieces: pieces)
  }

  /// The row with blanks up to a width, cut to it.
  func filled(_ row: ScreenRow, to width: Int) -> ScreenRow {
    var row = cut(row, to: width)
    let used = row.pieces.reduce(0) { $0 + self.width($1.text) }
    if used < width {
      row.pieces.append(.init(text: String(repeating: " ", count: width - used)))
    }
    return row
  }

  /// The row folded into rows of a width, at blanks where there are any.
  func folded(_ row: ScreenRow, to width: Int) -> [ScreenRow] {
    let limit = max(width, 2)
    var rows: [[(character: Character, piece: Int)]] = [[]]
    var used = 0
    for (number, piece) in row.pieces.enumerated() {
      for character in piece.text {
        let next = columns(character)
        if used + next > limit {
          var carried: [(character: Character, piece: Int)] = []
          let last = rows.count - 1
          if character != " ", let blank = rows[last].lastIndex(where: { $0.character == " " }),
            blank > 0
          {
            carried = Array(rows[last][(blank + 1)...])
            rows[last].removeSubrange((blank + 1)...)
          }
          rows.append(carried)
          used = carried.reduce(0) { $0 + columns($1.character) }
          // The row ends where a blank would stand.
          if character == " " { continue }
        }
        rows[rows.count - 1].append((character, number))
        used += next
      }
    }
    return rows.map { characters in
      var pieces: [ScreenRow.Piece] = []
      var last = -1
      for (character, number) in characters {
        if number == last {
          pieces[pieces.count - 1].text.append(character)
        } else {
          var piece = row.pieces[number]
          piece.text = String(character)
          pieces.append(piece)
          last = number
        }
      }
      return ScreenRow(pieces: pieces)
    }
  }
}

extension ScreenRow {
  /// A row of one piece; what could act on the terminal is made visible.
  init(_ text: String = "", _ style: Style? = nil, isReversed: Bool = false) {
    self.init(pieces: [Piece(text: safeForScreen(text), style: style, isReversed: isReversed)])
  }
}
