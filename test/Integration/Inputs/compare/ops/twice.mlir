func.func @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tosa.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
