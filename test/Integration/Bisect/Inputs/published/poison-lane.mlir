// A lane of the mask of a shuffle that is -1.
// VERDICT: undefined behavior in the program vector.shuffle
// PIPELINE: --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %a = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %s = vector.shuffle %a, %a [0, -1, 5, 2] : vector<4xi32>, vector<4xi32>
  %x = vector.extract %s[1] : i32 from vector<4xi32>
  vector.print %x : i32
  return
}
