// PIPELINE: --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: undefined behavior in the program arith.remui
memref.global "private" @g : memref<1xi32> = dense<0>
func.func @main() {
  %g = memref.get_global @g : memref<1xi32>
  %c0 = arith.constant 0 : index
  %a = memref.load %g[%c0] : memref<1xi32>
  %k = arith.constant 7 : i32
  %d = arith.remui %k, %a : i32
  vector.print %d : i32
  return
}
