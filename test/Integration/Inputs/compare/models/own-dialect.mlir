func.func @negate(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = mica.neg %x : tensor<5xf32>
  return %0 : tensor<5xf32>
}
