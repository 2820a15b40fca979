func.func @main(%a: tensor<1024x100xf32>, %p: tensor<100003xi32>, %r: tensor<3x65536xf32>, %h: tensor<2x7x40000xbf16>, %e: tensor<16384xf32>, %y: tensor<2x?xf32>) -> (tensor<f32>, tensor<i32>, tensor<3xf32>, tensor<2xbf16>, tensor<i32>, tensor<f32>, tensor<2xf32>) {
  %0 = mica.reduce sum %a dims = [0, 1] : (tensor<1024x100xf32>) -> tensor<f32>
  %1 = mica.reduce sum %p dims = [0] : (tensor<100003xi32>) -> tensor<i32>
  %2 = mica.reduce mean %r dims = [1] : (tensor<3x65536xf32>) -> tensor<3xf32>
  %3 = mica.reduce max %h dims = [1, 2] : (tensor<2x7x40000xbf16>) -> tensor<2xbf16>
  %4 = mica.reduce max %p dims = [0] : (tensor<100003xi32>) -> tensor<i32>
  %5 = mica.exp %e : tensor<16384xf32>
  %6 = mica.reduce sum %5 dims = [0] : (tensor<16384xf32>) -> tensor<f32>
  %7 = mica.reduce sum %y dims = [1] : (tensor<2x?xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %6, %7 : tensor<f32>, tensor<i32>, tensor<3xf32>, tensor<2xbf16>, tensor<i32>, tensor<f32>, tensor<2xf32>
}
