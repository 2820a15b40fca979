#!/bin/sh
# Runs what is in this pack (the conformance suite of the back end, programs whose results are compared with what is expected,
# benchmarks), prints tables and writes results.json beside itself. Needs a shell, awk and the driver of the device; with cuBLAS and
# PyTorch benchmarks are compared with them.   usage: run.sh [REPEATS]
# Exit code 0: all agree, 1: some do not or a part did not come to its end, 2: there is no device. Targets of benchmarks that are missed
# are told, and no failure.
set -u
here=$(cd "$(dirname "$0")" && pwd)
repeats=${1:-20}
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
run="$here/bin/mica-run"
runs=$(mktemp -d) || exit 1
trap 'rm -rf "$runs"' EXIT
quote() { printf '%s' "$1" | tr '\n\t' '  ' | sed 's/\\/\\\\/g; s/"/\\"/g'; }

# What a program with exit code $1 and the output $2 says of why it failed: the signal that ended it, its first error, else its last line.
why() {
  if [ "$1" -gt 128 ]; then printf 'ended by SIG%s; ' "$(kill -l $(($1 - 128)))"; fi
  line=$(grep -m1 -E 'error|differ' "$2") ||
    line=$(grep -v -E '^[[:space:]]*$|^(Segmentation fault|Aborted|Killed|Bus error|Illegal instruction)' "$2" | tail -n 1) # the shell's
  printf '%s' "${line:-exit code $1 and no output}"
}
# A row of the table for the part $1, whose program had exit code $2 and the output $3; $4, where given, says why. Failed ones count.
parts="" partsComma=""
part() {
  outcome=passed message=""
  if [ "$2" -ne 0 ]; then outcome=failed message=${4:-$(why "$2" "$3")} failed=1; fi
  printf '%-28s %-8s %12s  %s\n' "$1" "$outcome" "exit code $2" "$message"
  parts="$parts$partsComma$(printf '{"name":"%s","outcome":"%s","exit_code":%d,"message":"%s"}' "$1" "$outcome" "$2" "$(quote "$message")")"
  partsComma=","
}

failed=0
"$run" --list-devices > "$runs/devices" 2>&1
code=$?
cat "$runs/devices"
devices=$(cat "$runs/devices")
if [ $code -ne 0 ]; then
  part devices $code "$runs/devices"
  printf '{"schema":"mica.gpu-pack","version":1,"date":"%s","devices":"","programs":[],"parts":[%s]}\n' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$parts" > "$here/results.json"
  exit 1
fi
# What is there instead of a device, where the pack is for one.
case $(cat "$here/target") in
  cuda*) why=$(printf '%s\n' "$devices" | sed -n 's/^gpu:0 *none: *//p') ;;
  *) why="" ;;
esac
if [ -n "$why" ]; then
  printf '\nrun.sh: nothing was run: this pack needs an NVIDIA GPU and its driver, and there is none: %s\n' "$why" >&2
  printf '{"schema":"mica.gpu-pack","version":1,"date":"%s","devices":"%s","error":"%s","programs":[]}\n' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(quote "$devices")" "$(quote "$why")" > "$here/results.json"
  exit 2
fi
conformance=null
if [ -x "$here/bin/RuntimeTests" ]; then
  MICA_TEST_FILES="$here/tests" "$here/bin/RuntimeTests" --gtest_filter='Conformance/Gpu.*' > "$runs/conformance" 2>&1
  code=$?
  # Each test has a line when it ends, whatever becomes of those behind it.
  count() { awk -v mark="[$1]" 'index($0, mark) == 1 && / ms\)$/ { ++n } END { print n + 0 }' "$runs/conformance"; }
  agreed=$(count '       OK ') wrong=$(count '  FAILED  ') left=$(count '  SKIPPED ')
  begun=$(grep -c '^\[ RUN ' "$runs/conformance")
  printf '\nconformance of the back end: %d passed, %d failed, %d skipped\n' "$agreed" "$wrong" "$left"
  reason=""
  if [ "$begun" -gt $((agreed + wrong + left)) ]; then
    reason="$(sed -n 's/^\[ RUN      \] //p' "$runs/conformance" | tail -n 1) did not end: $(why $code "$runs/conformance")"
  elif [ "$wrong" -gt 0 ]; then
    reason="$(awk '/Failure$/ { found = 1; next } found && /error|cannot|refuse|fail/ { print; exit }' "$runs/conformance")"
    reason="$wrong tests failed, the first with: ${reason:-$(grep -m1 -A1 'Failure$' "$runs/conformance" | tail -n 1)}"
  elif [ "$agreed" -eq 0 ]; then
    reason="no test ran on the device: $(grep -m1 -A1 'Skipped$' "$runs/conformance" | tail -n 1)"
    [ "$left" -gt 0 ] || reason="no test ran: $(why $code "$runs/conformance")"
    [ $code -ne 0 ] || code=1
  fi
  [ -z "$reason" ] || grep -B4 'FAILED' "$runs/conformance" || cat "$runs/conformance"
  part conformance $code "$runs/conformance" "$reason"
  conformance=$(printf '{"passed":%d,"failed":%d,"skipped":%d,"outcome":"%s","exit_code":%d,"message":"%s"}' \
    "$agreed" "$wrong" "$left" "$outcome" "$code" "$(quote "$message")")
fi
printf '\n%-28s %-8s %12s\n' program outcome 'median ms'
{
  printf '{"schema":"mica.gpu-pack","version":1,"date":"%s","machine":"%s","devices":"%s","conformance":%s,"programs":[' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(quote "$(uname -srm)")" "$(quote "$devices")" "$conformance"
} > "$here/results.json"
comma=""
for data in "$here"/programs/*/data*/; do
  [ -d "$data" ] || continue
  folder=$(dirname "$data")
  name=$(basename "$folder")$(basename "$data" | sed 's/^data//')
  # One flag a line.
  (IFS='
'; set -f; "$run" --no-rebuild "$folder/artifact" $(cat "$data/flags" 2> /dev/null) --golden-data="$data" --run-dir="$runs/$name" --repeat="$repeats") > "$runs/output" 2>&1
  code=$?
  case $code in
    0) outcome=passed ;;
    3) outcome=differs; failed=1 ;;
    *) outcome=failed; failed=1 ;;
  esac
  median=$(awk '/runs?: median/ { for (i = 1; i < NF; ++i) if ($i == "median") print $(i + 1); exit }' "$runs/output")
  message=""
  [ $code -eq 0 ] || message=$(why $code "$runs/output")
  printf '%-28s %-8s %12s  %s\n' "$name" "$outcome" "${median:--}" "$message"
  printf '%s\n{"name":"%s","outcome":"%s","exit_code":%d,"median_ms":%s,"message":"%s"}' \
    "$comma" "$name" "$outcome" "$code" "${median:-null}" "$(quote "$message")" >> "$here/results.json"
  comma=","
done
printf '\n]' >> "$here/results.json"
# Faults have to be found with the words in `says`, their clean twins must not be.
if [ -d "$here/faults" ]; then
  found=0 wrong=0 reason=""
  for folder in "$here"/faults/*/; do
    name=$(basename "$folder")
    (IFS='
'; set -f; "$run" --no-rebuild "$folder/artifact" $(cat "$folder/flags") --run-dir="$runs/$name") > "$runs/output" 2>&1
    code=$? missing=""
    [ $code -eq "$(cat "$folder/code")" ] || missing="exit code $code"
    while IFS= read -r pattern; do
      [ -n "$missing" ] || grep -q -E -e "$pattern" "$runs/output" || missing="does not say $pattern"
    done < "$folder/says"
    case $name in *.clean) if grep -q -E 'check failed|NaN/Inf' "$runs/output"; then missing="false alarm"; fi ;; esac
    if [ -z "$missing" ]; then
      found=$((found + 1))
    else
      wrong=$((wrong + 1))
      [ -n "$reason" ] || reason="$name: $missing"
      printf '%s: %s\n' "$name" "$missing"
      head -n 6 "$runs/output"
    fi
  done
  printf '\nfaults and clean twins: %d as they should be, %d not\n' $found $wrong
  [ $wrong -gt 0 ] && code=1 || code=0
  part faults $code "$runs/output" "$reason"
fi
if [ -x "$here/bin/mica-bench-gpu" ]; then
  printf '\n'
  beside=""
  if python3 -c 'import torch; assert torch.cuda.is_available()' > /dev/null 2>&1; then
    python3 "$here/beside.py" "$repeats" > "$runs/beside.json" 2> "$runs/beside"
    code=$?
    part PyTorch $code "$runs/beside"
    [ $code -ne 0 ] || beside="--beside=$runs/beside.json"
  else
    printf 'no PyTorch with a GPU, no comparison with it\n'
  fi
  { "$here/bin/mica-bench-gpu" "$here" --json="$runs/benchmarks.json" --repeats="$repeats" $beside; echo $? > "$runs/code"; } 2>&1 |
    tee "$runs/benchmarks"
  code=$(cat "$runs/code")
  part benchmarks $code "$runs/benchmarks"
  if [ $code -eq 0 ]; then
    { printf ',"benchmarks":'; cat "$runs/benchmarks.json"; } >> "$here/results.json"
  fi
fi
printf ',"parts":[%s]}\n' "$parts" >> "$here/results.json"
[ -s "$here/skipped.txt" ] && { printf '\nnot in this pack:\n'; cat "$here/skipped.txt"; }
printf '\nresults: %s\n' "$here/results.json"
exit $failed
