#!/bin/sh
# Runs every program of this pack, compares with what is expected, prints a table and writes results.json beside itself.
# Needs a shell, awk and the driver of the device.   usage: run.sh [REPEATS]
# Exit code 0: all agree, 1: some do not, 2: there is no device.
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
printf '\n%-28s %-8s %12s\n' program outcome 'median ms'
{
  printf '{"schema":"mica.gpu-pack","version":1,"date":"%s","machine":"%s","devices":"%s","programs":[' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(quote "$(uname -srm)")" "$(quote "$devices")"
} > "$here/results.json"
comma=""
for folder in "$here"/programs/*/; do
  name=$(basename "$folder")
  output=$("$run" "$folder/artifact" --golden-data="$folder/data" --run-dir="$runs/$name" --repeat="$repeats" 2>&1)
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
printf '\n]}\n' >> "$here/results.json"
[ -s "$here/skipped.txt" ] && { printf '\nnot in this pack:\n'; cat "$here/skipped.txt"; }
printf '\nresults: %s\n' "$here/results.json"
exit $failed
