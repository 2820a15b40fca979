func.func @main(%a: tensor<1x16x28x64xf16>, %b: tensor<3x3x64x64xf16>, %c: tensor<64xf16>) -> tensor<1x16x28x64xf16> {
  %r = mica.conv2d %a, %b bias %c layout = nhwc_hwcf pads = [1, 1, 1, 1] : (tensor<1x16x28x64xf16>, tensor<3x3x64x64xf16>, tensor<64xf16>) -> tensor<1x16x28x64xf16>
  %s = mica.relu %r : tensor<1x16x28x64xf16>
  return %s : tensor<1x16x28x64xf16>
}
