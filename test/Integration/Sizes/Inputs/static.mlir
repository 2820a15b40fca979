// inputs: --input=16x24xf32=random:1 --input=24x8xf32=random:2
func.func @main(%x: tensor<16x24xf32>, %w: tensor<24x8xf32>) -> tensor<16x8xf32> {
  %b = arith.constant dense<[[0.5, -0.5, 0.25, 1.0, 2.0, -1.0, 0.0, 3.0]]> : tensor<1x8xf32>
  %0 = mica.matmul %x, %w : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8xf32>
  %c = mica.broadcast %b : (tensor<1x8xf32>) -> tensor<16x8xf32>
  %1 = mica.add %0, %c : tensor<16x8xf32>
  %2 = mica.softmax %1 axis = 1 : tensor<16x8xf32>
  %3 = mica.matmul %2, %1 transpose_a : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %4 = mica.matmul %2, %3 : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}
