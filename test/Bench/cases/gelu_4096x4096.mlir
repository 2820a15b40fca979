func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = mica.gelu %x : tensor<4096x4096xf32>
  return %0 : tensor<4096x4096xf32>
}
