// Extensions and conversions of true.
// VERDICT: same
// PIPELINE: --canonicalize --int-range-optimizations --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %t = index.bool.constant true
  %a = arith.extui %t : i1 to i32
  %b = arith.extsi %t : i1 to i32
  %c = arith.addi %a, %b : i32
  vector.print %c : i32
  %u = arith.uitofp %t : i1 to f32
  %s = arith.sitofp %t : i1 to f32
  vector.print %u : f32
  vector.print %s : f32
  return
}
