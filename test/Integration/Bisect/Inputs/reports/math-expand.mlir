// PIPELINE: --math-expand-ops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: miscompile math-expand-ops
memref.global "private" @g : memref<8xf32> = dense<[0.5, -0.5, 1.5, -2.5, 2.5, 3.0e9, -0.0, 7.3]>
func.func @main() {
  %g = memref.get_global @g : memref<8xf32>
  %n = arith.constant -3 : i32
  affine.for %i = 0 to 8 {
    %a = affine.load %g[%i] : memref<8xf32>
    %r = math.round %a : f32
    %e = math.roundeven %a : f32
    %c = math.ceil %a : f32
    %p = math.fpowi %a, %n : f32, i32
    %t = math.tan %a : f32
    vector.print %r : f32
    vector.print %e : f32
    vector.print %c : f32
    vector.print %p : f32
    vector.print %t : f32
  }
  return
}
