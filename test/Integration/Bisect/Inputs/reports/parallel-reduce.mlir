// PIPELINE: --scf-parallel-loop-specialization --scf-parallel-loop-fusion --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant 0 : i32
  %m = memref.alloca() : memref<7xi32>
  scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
    %a = arith.index_cast %i : index to i32
    %b = arith.muli %a, %a : i32
    memref.store %b, %m[%i] : memref<7xi32>
    scf.reduce
  }
  %s = scf.parallel (%i) = (%c0) to (%c7) step (%c1) init (%z) -> i32 {
    %a = memref.load %m[%i] : memref<7xi32>
    scf.reduce(%a : i32) {
    ^bb0(%x: i32, %y: i32):
      %r = arith.addi %x, %y : i32
      scf.reduce.return %r : i32
    }
  }
  vector.print %s : i32
  return
}
