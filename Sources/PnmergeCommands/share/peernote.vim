" Opens .peernote files as Markdown; what is written is a change of the version that was shown.
let s:options = &cpoptions
set cpoptions&vim
augroup peernote
  autocmd!
  autocmd BufReadCmd *.peernote call PeernoteRead(expand('<afile>:p'))
  autocmd BufWriteCmd *.peernote call PeernoteWrite(expand('<afile>:p'))
  autocmd FileReadCmd *.peernote call PeernoteInsert(expand('<afile>:p'))
  autocmd FileWriteCmd,FileAppendCmd *.peernote call PeernotePart()
augroup END

" Runs pnmerge, shows what it says, and returns whether it succeeded.
function! PeernoteRun(command, file, ...) abort
  let l:name = fnamemodify(a:file, ':.')
  let l:name = l:name[0] ==# '-' ? './' . l:name : l:name
  let l:said = call('system', ['pnmerge ' . a:command . ' ' . shellescape(l:name)] + a:000)
  let l:failed = v:shell_error
  execute 'echohl' l:failed ? 'ErrorMsg' : 'None'
  for l:line in split(l:said, "\n")
    echomsg l:line
  endfor
  echohl None
  return !l:failed
endfunction

" What pnmerge prints, as readfile() has it with 'b'; nothing if it fails.
function! PeernoteOutput(command, file) abort
  let l:output = tempname()
  let l:succeeded = PeernoteRun('>' . shellescape(l:output) . ' ' . a:command, a:file)
  let l:lines = l:succeeded ? readfile(l:output, 'b') : []
  call delete(l:output)
  return l:lines
endfunction

" How many lines the front matter has: none without a key, unless there are only remarks.
function! PeernoteTop(lines) abort
  let l:end = match(a:lines, '^\(---\|\.\.\.\)\r\=$', 1)
  if get(a:lines, 0, '') !~# '^---\r\=$' || l:end < 1
    return 0
  endif
  let l:inner = a:lines[1 : l:end][: -2]
  let l:key = '^[ {"'']*[[:alpha:]_$][[:alnum:]_.$-]*[ "'']*:\($\|[^/]\)'
  return match(l:inner, l:key) < 0 && match(l:inner, '^\s*[^#[:space:]]') >= 0 ? 0 : l:end + 1
endfunction

" Whether there are lines, and all end in a carriage return.
function! PeernoteIsDos(lines) abort
  return !empty(a:lines) && match(a:lines, '[^\r]$\|^$') < 0
endfunction

" Shows the document, and remembers which version that is: b:peernote is empty if that fails.
function! PeernoteShow(file) abort
  let b:peernote = {}
  let l:log = join(PeernoteOutput('log --json -n 1', a:file), '')
  if empty(l:log)
    return
  endif
  let l:log = json_decode(l:log)
  let l:version = join(map(copy(l:log.heads), '" --at " . v:val'), '')
  let l:lines = PeernoteOutput('export --format markdown' . l:version, a:file)
  if empty(l:lines)
    return
  endif
  " The last item has no line feed.
  let l:rest = l:lines[-1:]
  let l:lines = l:lines[: -2]
  let l:top = PeernoteTop(l:lines)
  let l:isTopDos = PeernoteIsDos(l:lines[: l:top][: -2])
  let l:isDos = PeernoteIsDos(l:lines[l:top :])
    \ ? l:isTopDos || match(l:lines[: l:top][: -2], '\r$') < 0
    \ : l:isTopDos && len(l:lines) == l:top
  if l:isDos
    call map(l:lines, 'substitute(v:val, "\\r$", "", "")')
  endif
  call PeernoteReplace(l:lines + (l:rest ==# [''] ? [] : l:rest))
  let &l:fileformat = l:isDos ? 'dos' : 'unix'
  let &l:endofline = l:rest ==# ['']
  setlocal buftype=acwrite noswapfile nofixendofline nomodified
  let b:peernote = {'file': a:file, 'heads': l:log.heads, 'isTopDos': l:isTopDos,
    \ 'mark': 'peernote-version: ' . join([l:log.document] + l:log.heads)}
endfunction

" Replaces the lines that differ. What came in is no edit of ours, and so not undone with them.
function! PeernoteReplace(lines) abort
  let l:old = getline(1, '$')
  if l:old ==# a:lines || (empty(a:lines) && l:old ==# [''])
    return
  endif
  let l:length = min([len(l:old), len(a:lines)])
  let l:start = 0
  while l:start < l:length && l:old[l:start] ==# a:lines[l:start]
    let l:start += 1
  endwhile
  let l:end = 0
  while l:end < l:length - l:start && l:old[-1 - l:end] ==# a:lines[-1 - l:end]
    let l:end += 1
  endwhile
  let l:new = l:start + l:end < len(a:lines) ? a:lines[l:start : -1 - l:end] : []
  let l:levels = &l:undolevels
  setlocal undolevels=-1
  call append(l:start, l:new)
  if l:start + l:end < len(l:old)
    silent call deletebufline('%', l:start + len(l:new) + 1, len(l:old) + len(l:new) - l:end)
  endif
  let &l:undolevels = l:levels
endfunction

function! PeernoteRead(file) abort
  if exists('b:peernote') && empty(b:peernote)
    setlocal modifiable
  endif
  setlocal buftype=acwrite noswapfile nofixendofline filetype=markdown
  if empty(getftype(a:file))
    let b:peernote = {'file': a:file, 'heads': []}
    return
  endif
  call PeernoteShow(a:file)
  if empty(b:peernote)
    setlocal nomodifiable
  endif
  call cursor(1, 1)
endfunction

" What the buffer holds, with the version if there is front matter to say it in.
function! PeernoteLines(state) abort
  if line2byte(1) < 0
    return ['']
  endif
  let l:lines = getline(1, '$')
  let l:top = PeernoteTop(l:lines)
  if &fileformat ==# 'dos'
    let l:start = get(a:state, 'isTopDos', 1) ? 0 : l:top
    for l:line in range(l:start, len(l:lines) - (&endofline ? 1 : 2))
      let l:lines[l:line] .= "\r"
    endfor
  endif
  if l:top && has_key(a:state, 'mark') && match(l:lines[: l:top - 1], '^peernote-version:') < 0
    call insert(l:lines, a:state.mark . matchstr(l:lines[l:top - 1], '\r'), l:top - 1)
  endif
  return l:lines + (&endofline ? [''] : [])
endfunction

" Why a buffer may not be written to a file; empty if it may.
function! PeernoteRefusal(file, state) abort
  if empty(a:state)
    return 'the document was not read; :write NAME.md keeps the text'
  elseif a:file !=# a:state.file || v:cmdbang
    return ''
  elseif empty(getftype(a:file)) && !empty(a:state.heads)
    return 'the document is gone; :write! starts another one'
  elseif !empty(getftype(a:file)) && empty(a:state.heads)
    return 'somebody started the document meanwhile; :write! replaces its text'
  endif
  return ''
endfunction

function! PeernoteWrite(file) abort
  let l:state = get(b:, 'peernote', {'file': '', 'heads': []})
  let l:refusal = PeernoteRefusal(a:file, l:state)
  if !empty(l:refusal)
    echoerr 'nothing was written: ' . l:refusal
    return
  endif
  let l:isNew = empty(getftype(a:file))
  let l:isCopy = l:isNew && a:file !=# l:state.file && filereadable(l:state.file)
  if l:isCopy
    " With all of the history.
    call writefile(readfile(l:state.file, 'b'), a:file, 'b')
  endif
  let l:heads = l:isNew && !l:isCopy ? [] : l:state.heads
  let l:base = join(map(copy(l:heads), '"--base " . v:val . " "'), '')
  if !PeernoteRun('import --format markdown - ' . l:base . '-o', a:file, PeernoteLines(l:state))
    if l:isCopy
      call delete(a:file)
    endif
    echoerr 'nothing was written'
    return
  endif
  if a:file ==# expand('%:p')
    let l:before = getline(1, '$')
    call PeernoteShow(a:file)
    if !empty(b:peernote) && getline(1, '$') !=# l:before
      echomsg 'the window now shows what came in meanwhile as well'
    endif
  endif
endfunction

" Puts the body below a line.
function! PeernoteInsert(file) abort
  let l:lines = PeernoteOutput('cat --body', a:file)
  call append(line("'["), get(l:lines, -1, '') ==# '' ? l:lines[: -2] : l:lines)
endfunction

function! PeernotePart() abort
  echoerr 'nothing was written: only whole buffers become documents; give a .md file'
endfunction
let &cpoptions = s:options
unlet s:options
