// PIPELINE: --convert-complex-to-standard --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %a = complex.constant [1.5 : f32, -2.0 : f32] : complex<f32>
  %b = complex.constant [0.25 : f32, 3.0 : f32] : complex<f32>
  %d = complex.div %a, %b : complex<f32>
  %m = complex.mul %d, %a : complex<f32>
  %s = complex.sqrt %m : complex<f32>
  %x = complex.re %d : complex<f32>
  %y = complex.im %s : complex<f32>
  %z = complex.abs %m : complex<f32>
  vector.print %x : f32
  vector.print %y : f32
  vector.print %z : f32
  return
}
