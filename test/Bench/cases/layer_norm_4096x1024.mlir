func.func @main(%x: tensor<4096x1024xf32>, %s: tensor<1024xf32>, %b: tensor<1024xf32>) -> tensor<4096x1024xf32> {
  %0 = mica.layer_norm %x scale %s : tensor<1024xf32> bias %b : tensor<1024xf32> axis = 1 epsilon = 1.0e-5 : tensor<4096x1024xf32>
  return %0 : tensor<4096x1024xf32>
}
