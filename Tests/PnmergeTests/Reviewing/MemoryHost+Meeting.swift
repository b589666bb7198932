extension MemoryHost {
  /// Makes two copies, a of ada's and b of bob's, in which both named a meeting and its hall anew, and
  /// bob changed a row besides.
  func makeMeeting() {
    setText(
      "i.json",
      #"{"title":"T","body":{"$text":"We meet in the hall at noon.\n"},"l":[{"title":"Row","n":1}]}"#
    )
    pnmerge("new", "a", "--json-file", "i.json", "--author", "ada", "--agent", "a0")
    copy("a", "b")
    for (file, author, title, hall) in [("a", "ada", "U", "old"), ("b", "bob", "V", "great")] {
      pnmerge("set", file, "/title", "\"\(title)\"", "--author", author)
      pnmerge(
        "set", file, "/body", "\"We meet in the \(hall) hall at noon.\\n\"", "--author", author)
    }
    pnmerge("set", "b", "/l/0/n", "2", "--author", "bob")
  }
}
