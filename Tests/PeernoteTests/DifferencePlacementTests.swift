import Peernote
import Testing

/// The edits from one text to another, as "position-deleted+inserted".
private func edits(_ old: String, _ new: String) -> [String] {
  TextDifference(from: old, to: new).edits.map { edit in
    "\(edit.deleted.lowerBound)-\(edit.deleted.count)+\(edit.inserted.string)"
  }
}

@Suite("Placement of text edits")
struct DifferencePlacementTests {
  @Test(
    "Edits are placed as people make them",
    arguments: [
      // Lines that go before a line that begins as they do go whole.
      (
        "- [ ] call mum\n- [ ] pay rent\n- [ ] mow lawn\n", "- [ ] call mum\n- [x] mow lawn\n",
        ["15-15+", "33-1+x"]
      ),
      // A line is a version of one of several, not half of each: of the one that begins alike.
      ("  \"n\": 1\n", "  \"n\": 3,\n  \"z\": 1\n", ["7-1+3,", "9-0+  \"z\": 1\n"]),
      ("n: 1\n", "n: 3\nz: 1\n", ["3-1+3", "5-0+z: 1\n"]),
      ("n 1\n", "n 3\nz 1\n", ["2-1+3", "4-0+z 1\n"]),
      ("n: 3\nz: 1\n", "n: 1\n", ["3-1+1", "5-5+"]),
      // One that was split is a version of both.
      ("One sentence. Two of them.\n", "One sentence.\nTwo of them.\n", ["13-1+\n"]),
      // A corrected letter is an edit of its word.
      ("the quick brwon fox", "the quick brown fox", ["10-5+brown"]),
      ("the colour", "the color", ["4-6+color"]),
      ("a cat sat", "a cut sat", ["2-3+cut"]),
      ("notes", "note", ["0-5+note"]),
      ("note", "notes", ["0-4+notes"]),
      ("foobar", "foo bar", ["0-6+foo bar"]),
      ("don't", "dont", ["0-5+dont"]),
      // What changes in a line, and the lines that come or go after it, are edits of their own.
      ("two\nthree\n", "two and a bit\ncall\nthree\n", ["3-0+ and a bit", "4-0+call\n"]),
      ("two\r\nthree\r\n", "two, more\r\na\r\nb\r\nthree\r\n", ["3-0+, more", "5-0+a\r\nb\r\n"]),
      ("two\nthree", "two\nnew\nthree", ["4-0+new\n"]),
      ("two", "two more\nnew", ["3-0+ more\nnew"]),
      ("Days: 1\n", "Days: 3\nPersons: 1\n", ["6-1+3", "8-0+Persons: 1\n"]),
      // What goes on in the next line may be the same words.
      ("1. a\n2. b\n", "1. a\n2. c\n3. b\n", ["8-1+c\n3. b"]),
      ("two more\nthree\n", "two\nnew\nthree\n", ["3-5+", "9-0+new\n"]),
      ("two\r\nnew\r\nx\r\n", "two more\r\nx\r\n", ["3-0+ more", "5-5+"]),
      ("two\n\nthree\n", "two x\ny\n\nthree\n", ["3-0+ x", "4-0+y\n"]),
      // What stays of a line or a sentence is not typed again, however short.
      ("abcdefgh", "bXcdefgh", ["0-8+bXcdefgh"]),
      ("red big house", "blue big barn", ["0-3+blue", "8-5+barn"]),
      ("aaaa b", "b aaaa", ["0-0+b ", "4-2+"]),
      ("one, two, three, four", "uno, two, tres, four", ["0-3+uno", "10-5+tres"]),
      // Corrections in neighbouring words are edits of their own.
      (
        "please recieve teh leter", "please receive the letter",
        ["7-7+receive", "15-3+the", "19-5+letter"]
      ),
      // A changed grapheme cluster is replaced whole, and with it its word.
      ("nai\u{308}ve", "naive", ["0-6+naive"]),
      ("hi 👨‍👩‍👧 there", "hi 👨‍👩‍👦 there", ["3-5+👨‍👩‍👦"]),
      ("🇩🇪🇫🇷", "🇩🇪🇮🇹", ["2-2+🇮🇹"]),
      ("a\r\nb", "a\nb", ["1-2+\n"]),
      ("한국어", "한글어", ["0-3+한글어"]),
      // An inserted line is an insertion of exactly that line.
      ("- a\n- b\n- c\n", "- a\n- b\n- x\n- c\n", ["8-0+- x\n"]),
      ("- a\n- b\n", "- x\n- a\n- b\n", ["0-0+- x\n"]),
      ("- a\n- b\n", "- a\n- b\n- x\n", ["8-0+- x\n"]),
      ("- a\n- b\n- c\n", "- a\n- c\n", ["4-4+"]),
      ("a", "a\nb", ["1-0+\nb"]),
      // A paragraph is inserted with the blank line that follows it.
      ("One.\n\nThree.\n", "One.\n\nTwo.\n\nThree.\n", ["6-0+Two.\n\n"]),
      (
        "# A\n\n- x\n\n# C\n\n- x\n", "# A\n\n- x\n\n# B\n\n- x\n\n# C\n\n- x\n",
        ["10-0+# B\n\n- x\n\n"]
      ),
      // A word is inserted with the space that follows it, at the end of a line with the one before.
      ("a cat sat", "a big cat sat", ["2-0+big "]),
      ("a cat", "a cat sat", ["5-0+ sat"]),
      ("One. Three.", "One. Two. Three.", ["5-0+Two. "]),
      // What a line has behind an edit stays in it, though a line that comes after it ends alike.
      (
        "| milk | 150 |\n", "| milk | 175 |\n| eggs | 320 |\n",
        ["9-3+175", "15-0+| eggs | 320 |\n"]
      ),
      ("| milk | 175 |\r\n| eggs | 320 |\r\n", "| milk | 150 |\r\n", ["9-3+150", "16-16+"]),
      ("- milk (2)\nend", "- milk (3)\n- eggs (6)\nend", ["8-1+3", "11-0+- eggs (6)\n"]),
      ("foo(1, 2, x);\n", "foo(1, 3);\nbar(4);\n", ["7-4+3", "14-0+bar(4);\n"]),
      // A line that comes before it has none of it.
      (
        "| bread | 200 |\n", "| eggs | 320 |\n| bread | 210 |\n",
        ["0-0+| eggs | 320 |\n", "10-3+210"]
      ),
      // A number is replaced whole.
      ("Rust 1.70.0 or later", "Rust 1.74.0 or later", ["5-6+1.74.0"]),
      ("in 2026.", "in 2027.", ["3-4+2027"]),
      ("12,000 or 3, 5", "11,000 or 3, 6", ["0-6+11,000", "13-1+6"]),
      // Changed words in one line are edits of their own.
      (
        "the meeting is on monday in the old hall", "the meeting is on friday in the new hall",
        ["18-6+friday", "32-3+new"]
      ),
      // A rewrapped paragraph changes its white space only.
      (
        "one two three four five six\nseven eight nine ten eleven twelve\n",
        "one two three four\nfive six seven eight\nnine ten eleven twelve\n",
        ["18-1+\n", "27-1+ ", "39-1+\n"]
      ),
    ] as [(String, String, [String])])
  func placed(old: String, new: String, wanted: [String]) {
    #expect(edits(old, new) == wanted)
  }

  @Test("What is longer than words are changes by grapheme clusters")
  func longWord() {
    let long = String(repeating: "0123456789", count: 20)
    #expect(edits(long + "a" + long, long + "b" + long) == ["200-1+b"])
  }

  @Test("In a script without spaces a correction is an edit of that cluster")
  func withoutSpaces() {
    let thai = String(repeating: "สวัสดีครับ", count: 20)
    let position = thai.unicodeScalars.count
    #expect(edits(thai + "กา" + thai, thai + "ขา" + thai) == ["\(position)-1+ข"])
    #expect(edits("会议在今天开始", "会议在明天开始") == ["3-1+明"])
  }

  @Test("An unrelated word or line is replaced whole")
  func unrelated() {
    #expect(edits("we chose the red house", "we chose the venue house") == ["13-3+venue"])
    #expect(edits("I like cats\n", "You love dogs\n") == ["0-11+You love dogs"])
    #expect(
      edits(
        "- Buy milk, see the list (Ann)\n", "- Repair a bicycle tomorrow, at noon, with help\n"
      ).count == 1)
  }

  @Test("A sentence between two rewritten ones stays untouched")
  func untouchedSentence() {
    let kept = " The hall has room for everyone. "
    let old =
      "Completely different opening statement of old." + kept + "Ends rather abruptly anyway"
    let new = "Nobody knows why this began like that." + kept + "Closing remarks follow here soon"
    let edits = TextDifference(from: old, to: new).edits
    let start = 46
    let end = start + kept.count
    #expect(
      edits.allSatisfy { $0.deleted.upperBound <= start + 1 || $0.deleted.lowerBound >= end - 1 })
    #expect(edits.count >= 2)
  }

  @Test("A replacement inserts after what it deletes, but at the end of a line before it")
  func replacementSide() {
    func side(_ old: String, _ new: String) -> [Int] {
      TextDifference(from: old, to: new).edits.map { edit in
        edit.insertsBefore ? edit.deleted.lowerBound : edit.deleted.upperBound
      }
    }
    #expect(side("red house\n", "venue house\n") == [3])
    #expect(side("the house\n", "the venue\n") == [4])
    #expect(side("house\n", "venue\n") == [5])
    #expect(side("a big house", "a new house") == [5])
  }
}
