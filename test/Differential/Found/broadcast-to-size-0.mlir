// run {"entry": "p", "inputs": ["3x4x5x3xf32=whole:940:-8:9"], "error": [7.43865966796875e-05, 1.049041748046875e-05]}
func.func @p(%a1: tensor<3x4x5x3xf32>) -> (tensor<?x3x2x3xf32>, tensor<3x4x5x3xf32>) {
  %v2 = mica.resize %a1 layout = nhwc mode = bilinear coordinates = align_corners : (tensor<3x4x5x3xf32>) -> tensor<3x4x2x3xf32>
  %v9 = mica.reduce mean %v2 dims = [1] : (tensor<3x4x2x3xf32>) -> tensor<3x2x3xf32>
  %v11 = math.sin %a1 : tensor<3x4x5x3xf32>
  %v12 = math.tanh %v11 : tensor<3x4x5x3xf32>
  %v15 = arith.constant 0 : index
  %v16 = mica.broadcast %v9 sizes(%v15) : (tensor<3x2x3xf32>, index) -> tensor<?x3x2x3xf32>
  return %v16, %v12 : tensor<?x3x2x3xf32>, tensor<3x4x5x3xf32>
}
