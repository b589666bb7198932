extension MemoryHost {
  /// Makes two copies, a of ada's and b of bob's, in which both named a meeting and its hour anew, and
  /// bob changed a row and ada a line besides.
  func makeMeeting() {
    setText(
      "i.json",
      #"""
      {"title":"T","body":{"$text":"We meet at noon in the hall.\n\nBring a coat.\n"},\#
      "l":[{"title":"Row","n":1}]}
      """#)
    pnmerge("new", "a", "--json-file", "i.json", "--author", "ada", "--agent", "a0")
    copy("a", "b")
    for (file, author, title, hour, coat) in [
      ("a", "ada", "U", "one", "red coat"), ("b", "bob", "V", "two", "coat"),
    ] {
      pnmerge("set", file, "/title", "\"\(title)\"", "--author", author)
      pnmerge(
        "set", file, "/body", "\"We meet at \(hour) in the hall.\\n\\nBring a \(coat).\\n\"",
        "--author", author)
    }
    pnmerge("set", "b", "/l/0/n", "2", "--author", "bob")
  }
}
