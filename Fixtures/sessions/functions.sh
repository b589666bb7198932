# Functions for the scripts of sessions and tests. `$P` is the program, `$R` the top of the repository,
# and `$T` the directory in which a script starts, where it may put its files.

export PATH="${P%/*}:$PATH" GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=true
unset PNMERGE GIT_DIR GIT_WORK_TREE
T=$PWD

# repository DIR: makes a repository in which git uses the program, with a first commit of a note
# n.peernote whose body has the lines one to five, and goes there.
repository() {
  git init -q "$1" && cd "$1" && pnmerge git install -q || return
  pnmerge new -q n.peernote --title T --body-file - <<EOF || return
one
two
three
four
five
EOF
  save base
}

# body SCRIPT [FILE]: edits the body with sed(1).
body() {
  pnmerge cat --body "${2-n.peernote}" | sed "$1" > "$T/.body" &&
    pnmerge edit -q "${2-n.peernote}" --body-file "$T/.body"
}

# save MESSAGE: commits everything.
save() { git add -A && git commit -qm "$1"; }

# merge ...: git merge without what it says on standard output.
merge() { git merge -q "$@" > "$T/.merge"; }

# show [REV]: prints the note, without its time.
show() {
  if [ $# -gt 0 ]; then git show "$1:n.peernote" > "$T/.shown"; else cat n.peernote > "$T/.shown"; fi
  pnmerge cat "$T/.shown" | grep -v -e '^created:' -e '^---'
}

# blob REV: names the note's content in a commit.
blob() { git rev-parse "$1:n.peernote"; }

# apart COMMAND...: does something in a new directory of its own, which is `$T` there.
apart() {
  apart=$((${apart:-0} + 1))
  (T=$T/$apart; mkdir "$T"; cd "$T"; "$@")
}
