// A shift of an index by 64.
// VERDICT: undefined behavior in the program index.shl
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %a = index.constant 3
  %b = index.constant 64
  %r = index.shl %a, %b
  vector.print %r : index
  return
}
