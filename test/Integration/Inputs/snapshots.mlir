// One of each: kernels with a weight of its own memory, a chain through an arena, a loop, a dynamic size, a scalar.
func.func @forward(%x: tensor<?x8xf32>, %n: index) -> (tensor<?x12xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = arith.constant dense<0.125> : tensor<8x12xf32>
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x8xf32> {
    %t = mica.tanh %a : tensor<?x8xf32>
    scf.yield %t : tensor<?x8xf32>
  }
  %m = mica.matmul %v, %w : (tensor<?x8xf32>, tensor<8x12xf32>) -> tensor<?x12xf32>
  %s = mica.softmax %m axis = 1 : tensor<?x12xf32>
  %d = tensor.dim %s, %c0 : tensor<?x12xf32>
  return %s, %d : tensor<?x12xf32>, index
}
