// PIPELINE: --canonicalize --arith-int-range-narrowing=int-bitwidths-supported=8,16 --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
memref.global "private" @g : memref<3xi64> = dense<[5, -3, 100]>
func.func @main() {
  %g = memref.get_global @g : memref<3xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.load %g[%c0] : memref<3xi64>
  %b = memref.load %g[%c1] : memref<3xi64>
  %c = memref.load %g[%c2] : memref<3xi64>
  %x = arith.trunci %a : i64 to i7
  %y = arith.trunci %b : i64 to i7
  %w = arith.trunci %c : i64 to i7
  %s = arith.muli %x, %y : i7
  %t = arith.maxsi %s, %w : i7
  %p = arith.floordivsi %s, %x : i7
  %u = arith.extsi %t : i7 to i33
  %v = arith.extui %p : i7 to i33
  %d = arith.subi %u, %v : i33
  %r = arith.extsi %d : i33 to i64
  vector.print %r : i64
  return
}
