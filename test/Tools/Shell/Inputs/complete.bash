# Prints what bash offers after LINE, sorted: complete.bash TOOL LINE
source <("$1" --help=bash)
COMP_LINE="$2" COMP_POINT=${#2}
"_${1//-/_}" 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}" | sort
