import ArgumentParser

/// `pnmerge integrate`: prints what makes another program know documents.
struct Integrate: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "integrate",
    abstract: "Print lines that make an editor open documents.",
    discussion: """
      With vim the editor shows a note as Markdown with front matter. What is written becomes a \
      change of the version that was opened, and is merged with what came in meanwhile; the \
      window then shows the result.

      Example:
        pnmerge integrate vim >> ~/.vimrc
      """)

  /// The programs that can be made to know documents.
  enum Editor: String, CaseIterable, ExpressibleByArgument {
    case vim
  }

  @Argument(help: ArgumentHelp("The editor: vim.", valueName: "editor"))
  var editor: Editor

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    switch editor {
    case .vim: try invocation.console.writeText(Self.vim)
    }
    return .done
  }

  /// Lines for `~/.vimrc`.
  ///
  /// The note is exported to a file of which this machine remembers the version, and what the
  /// buffer holds is imported from there. So nothing that came in meanwhile is taken back.
  private static let vim = #"""
    " Opens .peernote files as Markdown; what is written becomes a change of the version that was opened.
    augroup peernote
      autocmd!
      autocmd BufReadCmd *.peernote call PeernoteRead()
      autocmd BufWriteCmd *.peernote call PeernoteWrite()
    augroup END

    function! PeernoteRun(command) abort
      let l:said = system(a:command)
      if v:shell_error
        echohl ErrorMsg | echomsg trim(l:said) | echohl None
      endif
      return !v:shell_error
    endfunction

    function! PeernoteShow() abort
      let l:file = shellescape(expand('%:p'))
      if !PeernoteRun('pnmerge export --force --format markdown -o ' . shellescape(b:peernote) . ' ' . l:file)
        return 0
      endif
      let l:view = winsaveview()
      silent keepjumps %delete _
      call setline(1, readfile(b:peernote))
      call winrestview(l:view)
      setlocal nomodified
      return 1
    endfunction

    function! PeernoteRead() abort
      setlocal buftype=acwrite noswapfile filetype=markdown
      let b:peernote = tempname() . '.md'
      if !filereadable(expand('%:p'))
        return
      endif
      if !PeernoteShow()
        setlocal readonly nomodifiable
      endif
    endfunction

    function! PeernoteWrite() abort
      call writefile(getline(1, '$'), b:peernote)
      let l:file = shellescape(expand('%:p'))
      if PeernoteRun('pnmerge import -o ' . l:file . ' ' . shellescape(b:peernote))
        call PeernoteShow()
      endif
    endfunction

    """#
}
