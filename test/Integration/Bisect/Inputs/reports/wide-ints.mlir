// PIPELINE: --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
memref.global "private" @g : memref<2xi64> = dense<[-1, 5]>
func.func @main() {
  %g = memref.get_global @g : memref<2xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %g[%c0] : memref<2xi64>
  %b = memref.load %g[%c1] : memref<2xi64>
  %x = arith.extui %a : i64 to i128
  %y = arith.extsi %b : i64 to i128
  %m = arith.muli %x, %y : i128
  %k = arith.constant 64 : i128
  %h = arith.shrui %m, %k : i128
  %r = arith.trunci %h : i128 to i64
  %lo, %hi = arith.mulsi_extended %a, %b : i64
  %s, %o = arith.addui_extended %a, %b : i64, i1
  vector.print %r : i64
  vector.print %hi : i64
  vector.print %s : i64
  vector.print %o : i1
  return
}
