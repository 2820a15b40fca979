func.func @filters(%g: tensor<2x3x3x2xf64>, %h: tensor<2x5x1x2xf64>) -> (tensor<6x6x2x2xf64>, tensor<6x1x2x2xf64>) {
  %0 = tensor.empty() : tensor<6x6x2x2xf64>
  %1 = linalg.winograd_filter_transform fmr(F_4_3) ins(%g : tensor<2x3x3x2xf64>) outs(%0 : tensor<6x6x2x2xf64>) -> tensor<6x6x2x2xf64>
  %2 = tensor.empty() : tensor<6x1x2x2xf64>
  %3 = linalg.winograd_filter_transform fmr(F_2_5) ins(%h : tensor<2x5x1x2xf64>) outs(%2 : tensor<6x1x2x2xf64>) -> tensor<6x1x2x2xf64>
  return %1, %3 : tensor<6x6x2x2xf64>, tensor<6x1x2x2xf64>
}
