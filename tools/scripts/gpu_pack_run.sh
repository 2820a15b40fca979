#!/bin/sh
# Runs what is in this pack (the conformance suite of the back end, programs whose results are compared with what is expected,
# benchmarks), prints tables and writes results.json beside itself. Needs a shell, awk and the driver of the device; with cuBLAS and
# PyTorch benchmarks are compared with them.   usage: run.sh [REPEATS]
# Exit code 0: all agree, 1: some do not, 2: there is no device. Targets of benchmarks that are missed are told, and no failure.
set -u
here=$(cd "$(dirname "$0")" && pwd)
repeats=${1:-20}
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
run="$here/bin/mica-run"
runs=$(mktemp -d) || exit 1
trap 'rm -rf "$runs"' EXIT
quote() { printf '%s' "$1" | tr '\n\t' '  ' | sed 's/\\/\\\\/g; s/"/\\"/g'; }

"$run" --list-devices || exit 1
devices=$("$run" --list-devices)
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
failed=0
conformance=null
if [ -x "$here/bin/RuntimeTests" ]; then
  MICA_TEST_FILES="$here/tests" "$here/bin/RuntimeTests" --gtest_filter='Conformance/Gpu.*' > "$runs/conformance" 2>&1 || failed=1
  count() { awk -v mark="[  $1  ]" 'index($0, mark) == 1 && $0 ~ / tests?[.,]/ { for (i = 1; i < NF; ++i) if ($(i + 1) ~ /^tests?/) n = $i } END { print n + 0 }' "$runs/conformance"; }
  agreed=$(count PASSED) wrong=$(count FAILED) left=$(count SKIPPED)
  printf '\nconformance of the back end: %d passed, %d failed, %d skipped\n' "$agreed" "$wrong" "$left"
  [ $((agreed + wrong + left)) -gt 0 ] || { failed=1; cat "$runs/conformance"; }
  [ "$wrong" -eq 0 ] || grep -B4 'FAILED' "$runs/conformance"
  conformance=$(printf '{"passed":%d,"failed":%d,"skipped":%d}' "$agreed" "$wrong" "$left")
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
  output=$(IFS='
'; set -f; "$run" --no-rebuild "$folder/artifact" $(cat "$data/flags" 2> /dev/null) --golden-data="$data" --run-dir="$runs/$name" --repeat="$repeats" 2>&1)
  code=$?
  case $code in
    0) outcome=passed ;;
    3) outcome=differs; failed=1 ;;
    *) outcome=failed; failed=1 ;;
  esac
  median=$(printf '%s\n' "$output" | awk '/runs?: median/ { for (i = 1; i < NF; ++i) if ($i == "median") print $(i + 1); exit }')
  why=""
  [ $code -eq 0 ] || why=$(printf '%s\n' "$output" | grep -m1 -E 'error|differ' || true)
  printf '%-28s %-8s %12s  %s\n' "$name" "$outcome" "${median:--}" "$why"
  printf '%s\n{"name":"%s","outcome":"%s","exit_code":%d,"median_ms":%s,"message":"%s"}' \
    "$comma" "$name" "$outcome" "$code" "${median:-null}" "$(quote "$why")" >> "$here/results.json"
  comma=","
done
printf '\n]' >> "$here/results.json"
if [ -x "$here/bin/mica-bench-gpu" ]; then
  printf '\n'
  beside=""
  if python3 -c 'import torch; assert torch.cuda.is_available()' > /dev/null 2>&1; then
    python3 "$here/beside.py" "$repeats" > "$runs/beside.json" && beside="--beside=$runs/beside.json"
  else
    printf 'no PyTorch with a GPU, no comparison with it\n'
  fi
  if "$here/bin/mica-bench-gpu" "$here" --json="$runs/benchmarks.json" --repeats="$repeats" $beside; then
    { printf ',"benchmarks":'; cat "$runs/benchmarks.json"; } >> "$here/results.json"
  else
    failed=1
  fi
fi
printf '}\n' >> "$here/results.json"
[ -s "$here/skipped.txt" ] && { printf '\nnot in this pack:\n'; cat "$here/skipped.txt"; }
printf '\nresults: %s\n' "$here/results.json"
exit $failed
