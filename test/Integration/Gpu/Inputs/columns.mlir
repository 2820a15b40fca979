// Sums of columns, and a vector times a matrix.
func.func @main(%a: tensor<1024x96xf32>, %x: tensor<1x512xf16>, %w: tensor<512x384xf16>, %h: tensor<300x3x40xi32>, %p: tensor<1003x50xf32>) -> (tensor<96xf32>, tensor<1x384xf16>, tensor<40xi32>, tensor<50xf32>) {
  %0 = mica.reduce sum %a dims = [0] : (tensor<1024x96xf32>) -> tensor<96xf32>
  %1 = mica.matmul %x, %w : (tensor<1x512xf16>, tensor<512x384xf16>) -> tensor<1x384xf16>
  %2 = mica.reduce max %h dims = [0, 1] : (tensor<300x3x40xi32>) -> tensor<40xi32>
  %3 = mica.reduce mean %p dims = [0] : (tensor<1003x50xf32>) -> tensor<50xf32>
  return %0, %1, %2, %3 : tensor<96xf32>, tensor<1x384xf16>, tensor<40xi32>, tensor<50xf32>
}
