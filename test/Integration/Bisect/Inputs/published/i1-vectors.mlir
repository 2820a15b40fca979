// Masks of two dimensions, transposed, and sums of them.
// VERDICT: same
// PIPELINE: --convert-vector-to-scf --lower-vector-mask --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m = vector.create_mask %c2, %c3 : vector<3x4xi1>
  %t = vector.transpose %m, [1, 0] : vector<3x4xi1> to vector<4x3xi1>
  vector.print %t : vector<4x3xi1>
  %k = arith.constant dense<1> : vector<4x3xi8>
  %z = arith.constant dense<0> : vector<4x3xi8>
  %s = arith.select %t, %k, %z : vector<4x3xi1>, vector<4x3xi8>
  %acc = arith.constant dense<0> : vector<3xi8>
  %r = vector.multi_reduction <add>, %s, %acc [0] : vector<4x3xi8> to vector<3xi8>
  vector.print %r : vector<3xi8>
  return
}
