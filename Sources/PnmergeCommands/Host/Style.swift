/// Colours and weights, by the parameters of the terminal's "select graphic rendition".
package enum Style: String, Sendable {
  case bold = "1"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
  case deleted = "9;31"
  case inserted = "4;32"
}
