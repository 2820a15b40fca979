// PIPELINE: --loop-invariant-code-motion --control-flow-sink --sccp --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
memref.global "private" @g : memref<2xi32> = dense<[0, 9]>
func.func @main() {
  %g = memref.get_global @g : memref<2xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %g[%c0] : memref<2xi32>
  %b = memref.load %g[%c1] : memref<2xi32>
  %n = arith.index_cast %a : i32 to index
  scf.for %i = %c0 to %n step %c1 {
    %d = arith.divsi %b, %a : i32
    vector.print %d : i32
  }
  %z = arith.constant 0 : i32
  %p = arith.cmpi ne, %a, %z : i32
  %r = scf.if %p -> i32 {
    %d = arith.divsi %b, %a : i32
    scf.yield %d : i32
  } else {
    scf.yield %b : i32
  }
  vector.print %r : i32
  return
}
