# Prints what zsh offers after LINE: complete.zsh TOOL LINE. Completion works in an interactive shell alone: one in a terminal of its own.
zmodload zsh/zpty
folder=$(mktemp -d)
$1 --help=zsh > $folder/_$1
zpty terminal zsh -f -i
zpty -w terminal "PS1= ; fpath=($folder \$fpath); autoload -Uz compinit && compinit -D; zstyle ':completion:*' list-separator '#'; LISTMAX=1000; bindkey '^I' list-choices; echo ready"
zpty -r terminal output '*ready*ready*'
zpty -w -n terminal "$2"$'\t'
sleep 2
zpty -w -n terminal $'\x15exit\n'
while zpty -r terminal output; do print -r -- "$output"; done
rm -rf $folder
