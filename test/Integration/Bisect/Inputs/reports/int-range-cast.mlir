// PIPELINE: --int-range-optimizations --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() -> i64 {
  %i9 = index.constant 9
  %i0 = index.constant 0
  %t = llvm.mlir.constant(true) : i1
  %c = llvm.mlir.constant(29 : index) : i64
  %x = builtin.unrealized_conversion_cast %c : i64 to index
  %f = index.bool.constant false
  cf.cond_br %f, ^a, ^b
^a:
  cf.br ^c(%x : index)
^b:
  cf.br ^c(%i9 : index)
^c(%p: index):
  vector.print %p : index
  cf.cond_br %t, ^d, ^e
^d:
  cf.br ^g(%x : index)
^e:
  cf.br ^g(%i0 : index)
^g(%q: index):
  %r = builtin.unrealized_conversion_cast %q : index to i64
  vector.print %q : index
  return %r : i64
}
