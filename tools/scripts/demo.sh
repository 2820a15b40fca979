#!/bin/sh
# Compiles, runs and checks the two example models, and ends with one screen: results, time per phase, where the snapshots
# lie, what to type next.   usage: demo.sh BUILD_DIR
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
PATH="$build/bin:$PATH"
out=build_output
mkdir -p "$out"
bold=""; plain=""
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m'); plain=$(printf '\033[0m'); fi

for model in classifier block; do
  case $model in
    classifier) file=docs/examples/classifier/classifier.mlir ;;
    block) file=docs/examples/transformer/block.mlir ;;
  esac
  mica-compile "$file" -o "$out/$model" --force --time > "$out/$model.time" 2>&1 || { cat "$out/$model.time"; exit 1; }
done
mica-run "$out/classifier" --input=@docs/examples/classifier/digits.npy --output=@"$out/logits.npy" --check-reference > "$out/classifier.check" 2>&1 ||
  { cat "$out/classifier.check"; exit 1; }
mica-run "$out/block" --input=@docs/examples/transformer/tokens.npy --output=@"$out/block.npy" --check-reference > "$out/block.check" 2>&1 ||
  { cat "$out/block.check"; exit 1; }

# The predicted digit of each image: the position of the largest of its ten logits.
predicted=$(python3 - "$out/logits.npy" <<'PY'
import struct, sys
data = open(sys.argv[1], "rb").read()
body = data[10 + struct.unpack("<H", data[8:10])[0]:]
rows = [struct.unpack_from("<10f", body, 40 * i) for i in range(len(body) // 40)]
print(*[max(range(10), key=row.__getitem__) for row in rows])
PY
)
echo "${bold}Digit classifier${plain} (docs/examples/classifier: trained, TOSA as TFLite models arrive)"
echo "  drawn      $(cat docs/examples/classifier/digits.labels.txt)"
echo "  predicted  $predicted"
sed 's/^/  /' "$out/classifier.check" | grep -iE 'reference|L2|ulp|absolute' || true
echo "${bold}Transformer block${plain} (docs/examples/transformer: linalg as torch-mlir writes it)"
sed 's/^/  /' "$out/block.check" | grep -iE 'reference|L2|ulp|absolute' || true
echo "${bold}Where the compile time went${plain}"
grep -E ' (total|parse|phase [a-z]+|link|write)$' "$out/block.time" | sed 's/^/  /'
echo "${bold}Look inside${plain}"
echo "  $out/block/passes_dump/   $(grep -c '"changed":true' "$out/block/passes_dump/index.json") snapshots, one per pass that changed something"
echo "  $out/block/kernels/       $(ls "$out/block/kernels" | wc -l) kernels, each with .mlir .ll .s .o and line maps"
echo "${bold}Type next${plain}"
echo "  build/bin/mica-run $out/block --list                         # entries, arguments, results"
echo "  build/bin/mica-run $out/block --repeat=100 --time            # where the run time goes"
echo "  build/bin/mica-report $out/block -o $out/report              # pages: passes, kernels, provenance, memory"
echo "  build/bin/mica-compile docs/examples/classifier/classifier.mlir --emit=mlir --compile-to=dispatch -o -"
[ "$predicted" = "$(cat docs/examples/classifier/digits.labels.txt)" ] || { echo "the predictions are wrong" >&2; exit 3; }
