// The branch that stores is not taken.
// VERDICT: undefined behavior in the program memref.alloca
// PIPELINE: --mem2reg --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %t = arith.constant false
  %k = arith.constant 4 : i32
  %m = memref.alloca() : memref<i32>
  scf.if %t {
    memref.store %k, %m[] : memref<i32>
  }
  %x = memref.load %m[] : memref<i32>
  vector.print %x : i32
  return
}
