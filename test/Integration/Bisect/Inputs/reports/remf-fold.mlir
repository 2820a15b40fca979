// PIPELINE: --int-range-optimizations --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %a = arith.constant 7.668000e+03 : f32
  %b = arith.constant 2.515200e+04 : f32
  %c = arith.constant 3.904000e+04 : f32
  %x = arith.remf %b, %c : f32
  vector.print %x : f32
  %y = arith.remf %a, %x : f32
  vector.print %y : f32
  return
}
