func.func @f(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %a = arith.addf %x, %y : tensor<64x128xf32>
  %d = arith.divf %a, %y : tensor<64x128xf32>
  return %d : tensor<64x128xf32>
}
