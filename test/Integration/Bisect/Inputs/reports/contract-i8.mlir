// PIPELINE: --canonicalize --lower-vector-multi-reduction --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @main() {
  %a = arith.constant dense<[[100, -100, 3], [4, 5, 6]]> : vector<2x3xi8>
  %b = arith.constant dense<[[100, 2], [-128, 4], [5, 127]]> : vector<3x2xi8>
  %z = arith.constant dense<7> : vector<2x2xi32>
  %x = arith.extsi %a : vector<2x3xi8> to vector<2x3xi32>
  %y = arith.extsi %b : vector<3x2xi8> to vector<3x2xi32>
  %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  vector.print %r : vector<2x2xi32>
  %t = vector.transpose %r, [1, 0] : vector<2x2xi32> to vector<2x2xi32>
  %s = vector.shape_cast %t : vector<2x2xi32> to vector<4xi32>
  %e = vector.extract_strided_slice %s {offsets = [1], sizes = [2], strides = [1]} : vector<4xi32> to vector<2xi32>
  vector.print %e : vector<2xi32>
  %m = vector.multi_reduction <maxsi>, %r, %e [0] : vector<2x2xi32> to vector<2xi32>
  vector.print %m : vector<2xi32>
  return
}
