// A NaN becomes an integer.
// VERDICT: undefined behavior in the program arith.fptosi
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
memref.global "private" @g : memref<1xf32> = dense<0x7FC00000>
func.func @main() {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<1xf32>
  %x = memref.load %g[%c0] : memref<1xf32>
  %y = arith.fptosi %x : f32 to i32
  vector.print %y : i32
  return
}
