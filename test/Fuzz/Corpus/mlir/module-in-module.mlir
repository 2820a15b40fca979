func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense_resource<w> : tensor<4xf32>
  %0 = arith.addf %x, %w : tensor<4xf32>
  %1 = arith.addf %x, %w : tensor<4xf32>
  %2 = arith.mulf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
module @k {
  func.func @k(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = arith.addf %x, %x : tensor<4xf32>
    %1 = arith.addf %x, %x : tensor<4xf32>
    %2 = arith.mulf %0, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
{-#
  dialect_resources: { builtin: { w: "0x400000000000803F0000803F0000803F0000803F" } }
#-}
