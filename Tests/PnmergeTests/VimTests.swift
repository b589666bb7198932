import Testing

@Suite("Documents in vim")
struct VimTests {
  @Test("a note opens as Markdown; what is written is merged with what came in meanwhile")
  func editing() throws {
    let program = try Program()
    let run = try program.sh(
      """
      set -e
      mkdir bin; ln -s "$P" bin/pnmerge; PATH=$PWD/bin:$PATH
      pnmerge integrate vim > vimrc
      printf 'one\\ntwo\\n' > body
      pnmerge new -q n.peernote --title Trip --body-file body
      # Somebody else sets the title while vim has the note open.
      vim -Nu vimrc -es n.peernote -c '!pnmerge set --string -q n.peernote /title Tour' \\
        -c '%s/two/two and more/' -c w -c '%print' -c q
      pnmerge cat --body n.peernote
      # Nothing was edited: no change.
      vim -Nu vimrc -es n.peernote -c w -c q
      pnmerge log n.peernote | wc -l
      # A name that a shell would take apart, of a file that is not there yet.
      vim -Nu vimrc -es "odd ' \\$name.peernote" -c 'normal ihello' -c w -c q
      pnmerge cat --body "odd ' \\$name.peernote"
      # Also where vim takes after vi.
      vim -Cu vimrc -es n.peernote -c '%s/one/first/' -c w -c q
      pnmerge cat --body n.peernote
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect((run.output + run.errors).contains("title: Tour"), "\(run.errors)")
    #expect(
      run.output.hasSuffix("one\ntwo and more\n3\nhello\nfirst\ntwo and more\n"),
      "\(run.output)")
  }

  /// What the scripts below use: vim with our lines, a note with a body, and what it says then.
  private static let tools = """
    set -e
    mkdir bin; ln -s "$P" bin/pnmerge; PATH=$PWD/bin:$PATH
    pnmerge integrate vim > vimrc
    edit() { vim -Nu vimrc -es "$@" 2>/dev/null; }
    note() { printf "$1" > b; rm -f n.peernote; pnmerge new -q n.peernote --title T --body-file b; }
    body() { pnmerge cat --body "${1:-n.peernote}" | od -An -c | tr -d ' \\n'; echo; }
    # What vim said, line by line.
    said='redir! > said | silent messages | redir END'

    """

  private func printed(_ script: String) throws -> String {
    let run = try Program().sh(Self.tools + script)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test("what is typed is an edit of what is shown, though an older version reads like it")
  func back() throws {
    let output = try printed(
      """
      note 'one\\ntwo\\n'
      edit n.peernote -c '%s/one/ONE/' -c w -c '%s/ONE/one/' -c w -c q; body
      edit n.peernote -c '$put =\\"three\\"' -c w -c '$d' -c w -c q; body
      edit n.peernote -c '$put =\\"three\\"' -c w -c q; body
      edit n.peernote -c '$d' -c w -c q; body
      edit n.peernote -c '%s/one/ONE/' -c w -c undo -c w -c q; body
      edit n.peernote -c 'g/^created/d' -c w -c q; pnmerge cat n.peernote
      """)
    let body = #"one\ntwo\n"#
    #expect(
      output == """
        \(body)
        \(body)
        one\\ntwo\\nthree\\n
        \(body)
        \(body)
        ---
        title: T
        ---
        one
        two

        """)
  }

  @Test("undoing after a save takes back nothing that came in with it")
  func undo() throws {
    let output = try printed(
      """
      note 'one\\ntwo\\n'
      edit n.peernote -c '!pnmerge edit -q n.peernote --title Tour' -c '%s/two/2/' -c w \\
        -c undo -c w -c "$said" -c q
      pnmerge cat n.peernote /title; body
      grep -c meanwhile said
      """)
    #expect(output == "\"Tour\"\none\\n2\\n\n1\n")
  }

  @Test("what a save decided is said")
  func report() throws {
    let output = try printed(
      """
      note 'one\\n'
      edit n.peernote -c '!pnmerge edit -q n.peernote --title Away' -c '%s/: T$/: Mine/' -c w \\
        -c "$said" -c q
      grep -c 'changed title, as an edit of' said; grep -c 'also had "Away"' said
      """)
    #expect(output == "1\n1\n")
  }

  @Test("a buffer written under another name makes a copy with the history, and no other change")
  func copy() throws {
    let output = try printed(
      """
      note 'one\\n'
      edit n.peernote -c '%s/one/two/' -c 'w copy.peernote' -c 'q!'; body; body copy.peernote
      pnmerge status n.peernote copy.peernote || true
      edit n.peernote -c '%s/one/1/' -c 'saveas s.peernote' -c '%s/1/eins/' -c w -c q
      body; body s.peernote; pnmerge merge -q n.peernote s.peernote; body
      # Not over another document, even by force.
      pnmerge new -q other.peernote --title O; cp other.peernote before
      edit n.peernote -c '%s/eins/x/' -c 'w! other.peernote' -c 'q!' || true
      cmp other.peernote before
      """)
    #expect(
      output == #"""
        one\n
        two\n
        copy.peernote: ahead of n.peernote by 1 change
        one\n
        eins\n
        eins\n

        """#)
  }

  @Test("a part of a buffer is not written to a document, which is said")
  func part() throws {
    let output = try printed(
      """
      note 'one\\ntwo\\n'; cp n.peernote before
      edit n.peernote -c '2w part.peernote' -c '2w! n.peernote' -c '2w >> n.peernote' -c "$said" \\
        -c q || true
      grep -c 'only whole buffers become documents' said; ls part.peernote 2>/dev/null || true
      cmp n.peernote before
      edit n.peernote -c '2w part.md' -c q; cat part.md
      """)
    // Once for each attempt.
    #expect(output == "3\ntitle: T\n")
  }

  @Test(
    "line ends stay, and a last line without one",
    arguments: [#"one\r\ntwo\r\n"#, #"one\r\ntwo"#, #"one\ntwo"#, #"one\r\ntwo\nx\r"#, #"two\n\n"#])
  func lineEnds(body: String) throws {
    let output = try printed(
      """
      note '\(body)'
      edit n.peernote -c 'w!' -c q; pnmerge log n.peernote | wc -l
      edit n.peernote -c '%s/two/2/' -c w -c q; body
      printf '\(body)' > p.md; pnmerge import -q p.md
      edit p.peernote -c '%s/two/2/' -c w -c q; body p.peernote
      """)
    let edited = body.replacing("two", with: "2")
    #expect(output == "1\n\(edited)\n\(edited)\n")
  }

  @Test("nothing is written over what was not read, came meanwhile, or is gone")
  func refusals() throws {
    let output = try printed(
      """
      note 'one\\n'; echo text > k.peernote
      edit k.peernote -c 'w!' -c "$said" -c 'q!' || true
      cat k.peernote; grep -o 'was not read' said
      edit z.peernote -c 'normal ihello' -c '!cp n.peernote z.peernote' -c w -c "$said" \\
        -c 'q!' || true
      body z.peernote; grep -o 'started the document meanwhile' said
      edit z.peernote -c '!rm z.peernote' -c w -c "$said" -c 'q!' || true
      ls z.peernote 2>/dev/null || true; grep -o 'is gone' said
      # What cannot be taken in stays in the buffer.
      edit n.peernote -c '1put =\\"a: [\\"' -c wq -c 'w kept.md' -c 'qa!' || true
      grep -c 'a: \\[' kept.md
      """)
    #expect(
      output == #"""
        text
        was not read
        one\n
        started the document meanwhile
        is gone
        1

        """#)
  }
}
