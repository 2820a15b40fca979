// A slice that is taken and put back in each iteration.
// VERDICT: same
// PIPELINE: --loop-invariant-subset-hoisting --canonicalize
// FLAGS: --entry=f
func.func @f(%t: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %a[2][3][1] : tensor<8xf32> to tensor<3xf32>
    %e = linalg.exp ins(%s : tensor<3xf32>) outs(%s : tensor<3xf32>) -> tensor<3xf32>
    %u = tensor.insert_slice %e into %a[2][3][1] : tensor<3xf32> into tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
