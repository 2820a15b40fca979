// PIPELINE: --convert-vector-to-scf --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
memref.global "private" @g : memref<3x4xf32> = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]>
func.func @main() {
  %g = memref.get_global @g : memref<3x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = arith.constant -1.0 : f32
  %k = vector.create_mask %c2, %c1 : vector<3x4xi1>
  %v = vector.transfer_read %g[%c1, %c0], %p, %k {permutation_map = affine_map<(i, j) -> (j, i)>, in_bounds = [false, false]} : memref<3x4xf32>, vector<4x3xf32>
  vector.print %v : vector<4x3xf32>
  return
}
