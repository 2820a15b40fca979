// One convolution, as it is and by Winograd's algorithm F(4x4, 3x3): 36 products of small matrices instead of 144.

func.func @direct(%image: tensor<2x10x10x5xf32>, %filter: tensor<7x3x3x5xf32>) -> tensor<2x8x8x7xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x8x8x7xf32>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%image, %filter : tensor<2x10x10x5xf32>, tensor<7x3x3x5xf32>)
                                outs(%zero : tensor<2x8x8x7xf32>) -> tensor<2x8x8x7xf32>
  return %0 : tensor<2x8x8x7xf32>
}

func.func @winograd(%image: tensor<2x10x10x5xf32>, %filter: tensor<7x3x3x5xf32>) -> tensor<2x8x8x7xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x8x8x7xf32>
  %products = arith.constant dense<0.0> : tensor<36x8x7xf32>
  %f = tensor.empty() : tensor<6x6x5x7xf32>
  %i = tensor.empty() : tensor<6x6x2x2x2x5xf32>
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%filter : tensor<7x3x3x5xf32>) outs(%f : tensor<6x6x5x7xf32>)
       -> tensor<6x6x5x7xf32>
  %1 = linalg.winograd_input_transform fmr(F_4_3) ins(%image : tensor<2x10x10x5xf32>) outs(%i : tensor<6x6x2x2x2x5xf32>)
       -> tensor<6x6x2x2x2x5xf32>
  %2 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<6x6x5x7xf32> into tensor<36x5x7xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2, 3, 4], [5]] : tensor<6x6x2x2x2x5xf32> into tensor<36x8x5xf32>
  %4 = linalg.batch_matmul ins(%3, %2 : tensor<36x8x5xf32>, tensor<36x5x7xf32>) outs(%products : tensor<36x8x7xf32>)
       -> tensor<36x8x7xf32>
  %5 = tensor.expand_shape %4 [[0, 1], [2, 3, 4], [5]] output_shape [6, 6, 2, 2, 2, 7]
       : tensor<36x8x7xf32> into tensor<6x6x2x2x2x7xf32>
  %6 = linalg.winograd_output_transform fmr(F_4_3) ins(%5 : tensor<6x6x2x2x2x7xf32>) outs(%zero : tensor<2x8x8x7xf32>)
       -> tensor<2x8x8x7xf32>
  return %6 : tensor<2x8x8x7xf32>
}
