// PIPELINE: --arith-expand=include-bf16=true --arith-emulate-unsupported-floats=source-types=bf16 --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %a = arith.constant dense<[1.5, -2.25, 3.0e10, 0.0078]> : vector<4xbf16>
  %b = arith.constant dense<[0.3, 7.0, -1.0, 3.4e38]> : vector<4xbf16>
  %s = arith.mulf %a, %b : vector<4xbf16>
  %t = arith.addf %s, %a : vector<4xbf16>
  %u = arith.extf %t : vector<4xbf16> to vector<4xf32>
  vector.print %u : vector<4xf32>
  %c = arith.constant dense<[1.00390625, 3.0e38, 1.0e-40, -5.5]> : vector<4xf32>
  %d = arith.truncf %c : vector<4xf32> to vector<4xbf16>
  %e = arith.extf %d : vector<4xbf16> to vector<4xf32>
  vector.print %e : vector<4xf32>
  return
}
