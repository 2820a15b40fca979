// PIPELINE: --affine-super-vectorize="virtual-vector-size=4 vectorize-reductions=true" --convert-vector-to-scf --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
memref.global "private" @g : memref<10xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]>
func.func @main() {
  %g = memref.get_global @g : memref<10xf32>
  %z = arith.constant 0.0 : f32
  %s = affine.for %i = 0 to 10 iter_args(%a = %z) -> f32 {
    %v = affine.load %g[%i] : memref<10xf32>
    %b = arith.addf %a, %v : f32
    affine.yield %b : f32
  }
  vector.print %s : f32
  return
}
