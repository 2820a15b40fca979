// PIPELINE: --arith-expand --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: miscompile arith-expand
memref.global "private" @g : memref<5xf32> = dense<[0x7FC00000, 1.0, -0.0, 0.0, -3.5]>
func.func @main() {
  %g = memref.get_global @g : memref<5xf32>
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 5 {
      %a = affine.load %g[%i] : memref<5xf32>
      %b = affine.load %g[%j] : memref<5xf32>
      %x = arith.minimumf %a, %b : f32
      %y = arith.maxnumf %a, %b : f32
      %z = arith.remf %a, %b : f32
      vector.print %x : f32
      vector.print %y : f32
      vector.print %z : f32
    }
  }
  return
}
