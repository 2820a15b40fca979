// The program of mlp.mlir without annotations.
func.func @main(%x: tensor<6x16xf32>, %up: tensor<16x32xf32>, %down: tensor<32x16xf32>) -> tensor<6x16xf32> {
  %0 = mica.matmul %x, %up : (tensor<6x16xf32>, tensor<16x32xf32>) -> tensor<6x32xf32>
  %1 = mica.relu %0 : tensor<6x32xf32>
  %2 = mica.matmul %1, %down : (tensor<6x32xf32>, tensor<32x16xf32>) -> tensor<6x16xf32>
  return %2 : tensor<6x16xf32>
}
