// PIPELINE: --convert-vector-to-scf=full-unroll --lower-vector-mask --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = vector.create_mask %c1, %c2 : vector<2x3xi1>
  %v = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
  %a = arith.constant dense<[10.0, 20.0]> : vector<2xf32>
  %r = vector.mask %m { vector.multi_reduction <add>, %v, %a [1] : vector<2x3xf32> to vector<2xf32> } : vector<2x3xi1> -> vector<2xf32>
  vector.print %r : vector<2xf32>
  %t = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %s = vector.shuffle %t, %t [0, 5, 2] : vector<3x2xf32>, vector<3x2xf32>
  vector.print %s : vector<3x2xf32>
  %i = vector.insert_strided_slice %a, %s {offsets = [1, 0], strides = [1]} : vector<2xf32> into vector<3x2xf32>
  vector.print %i : vector<3x2xf32>
  %d, %e = vector.deinterleave %a : vector<2xf32> -> vector<1xf32>
  vector.print %e : vector<1xf32>
  %sc:2 = vector.scan <add>, %v, %a {inclusive = true, reduction_dim = 1} : vector<2x3xf32>, vector<2xf32>
  vector.print %sc#0 : vector<2x3xf32>
  return
}
