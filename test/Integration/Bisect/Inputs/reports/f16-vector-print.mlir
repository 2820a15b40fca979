// PIPELINE: --convert-vector-to-scf --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// The product overflows f16 in between, in the order that the pass takes.
// VERDICT: rounding
func.func @main() {
  %a = arith.constant dense<[1.5, 2.25, 65504.0, 6.0e-8]> : vector<4xf16>
  %b = arith.addf %a, %a : vector<4xf16>
  %c = arith.extf %b : vector<4xf16> to vector<4xf32>
  vector.print %c : vector<4xf32>
  %r = vector.reduction <mul>, %a : vector<4xf16> into f16
  %s = arith.extf %r : f16 to f32
  vector.print %s : f32
  %i = arith.fptosi %c : vector<4xf32> to vector<4xi32>
  return
}
