// The rows above the first and below the last are zeros.
func.func @main(%x: tensor<8x6xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<10x6xf32>
  %empty = tensor.empty() : tensor<8x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = linalg.conv_2d ins(%padded, %filter : tensor<10x6xf32>, tensor<3x3xf32>) outs(%start : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
