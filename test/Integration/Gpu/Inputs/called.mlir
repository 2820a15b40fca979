// Kernels of a function that is called: what the launch needs comes from the call, as a global.
func.func @main(%x: tensor<7x?xf32>, %y: tensor<7x?xf32>) -> tensor<7x?xi16> {
  %0 = func.call @f(%x, %y) : (tensor<7x?xf32>, tensor<7x?xf32>) -> tensor<7x?xf32>
  %1 = arith.fptosi %0 : tensor<7x?xf32> to tensor<7x?xi16>
  return %1 : tensor<7x?xi16>
}
func.func @f(%x: tensor<7x?xf32>, %y: tensor<7x?xf32>) -> tensor<7x?xf32> {
  %0 = mica.matmul %x, %y transpose_b : (tensor<7x?xf32>, tensor<7x?xf32>) -> tensor<7x7xf32>
  %c = tensor.cast %0 : tensor<7x7xf32> to tensor<7x?xf32>
  return %c : tensor<7x?xf32>
}
