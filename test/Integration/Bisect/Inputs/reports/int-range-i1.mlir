// PIPELINE: --int-range-optimizations --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %f = arith.constant false
  %s, %o = arith.addui_extended %f, %f : i1, i1
  cf.cond_br %s, ^a, ^b
^a:
  %p = arith.constant -77 : i64
  cf.br ^c(%p : i64)
^b:
  %q = arith.constant 52 : i64
  cf.br ^c(%q : i64)
^c(%r: i64):
  vector.print str "value "
  vector.print %r : i64
  return
}
