// A load after a store in a branch.
// VERDICT: same
// PIPELINE: --cse --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : index
  %a = arith.constant 3 : i32
  %b = arith.constant 4 : i32
  %t = arith.constant true
  %m = memref.alloc() : memref<1xi32>
  memref.store %a, %m[%c0] : memref<1xi32>
  %x = memref.load %m[%c0] : memref<1xi32>
  scf.if %t {
    memref.store %b, %m[%c0] : memref<1xi32>
  }
  %y = memref.load %m[%c0] : memref<1xi32>
  vector.print %x : i32
  vector.print %y : i32
  return
}
