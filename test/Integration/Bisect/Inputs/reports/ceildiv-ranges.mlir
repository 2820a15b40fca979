// PIPELINE: --arith-expand --arith-unsigned-when-equivalent --int-range-optimizations --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %e = arith.constant 8 : i32
  %v = arith.constant 29326 : i32
  %w = arith.constant 2 : i32
  %o = arith.constant 1 : i32
  %s = arith.shrsi %v, %w : i32
  %p = math.ctpop %s : i32
  %d = arith.shli %p, %o : i32
  %r = arith.ceildivsi %d, %e : i32
  vector.print %r : i32
  return
}
