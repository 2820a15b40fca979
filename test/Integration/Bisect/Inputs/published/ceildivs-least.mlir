// The fold negates the least index.
// VERDICT: miscompile canonicalize
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %least = index.constant -9223372036854775808
  %c2 = index.constant 2
  %r = index.ceildivs %least, %c2
  vector.print %r : index
  return
}
