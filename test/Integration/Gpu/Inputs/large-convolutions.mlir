func.func @main(%a: tensor<8x56x56x64xf16>, %b: tensor<3x3x64x128xf16>, %c: tensor<128xf16>,
                %d: tensor<8x256x14x14xf16>, %e: tensor<256x256x3x3xf16>,
                %f: tensor<8x224x224x3xf16>, %g: tensor<7x7x3x64xf16>,
                %h: tensor<8x64x56x56xf32>, %i: tensor<128x64x3x3xf32>,
                %j: tensor<?x56x56x64xbf16>, %k: tensor<3x3x64x64xbf16>, %l: tensor<64xbf16>)
    -> (tensor<8x56x56x128xf16>, tensor<8x256x14x14xf16>, tensor<8x112x112x64xf16>, tensor<8x128x56x56xf32>, tensor<?x56x56x64xbf16>) {
  %0 = mica.conv2d %a, %b bias %c layout = nhwc_hwcf pads = [1, 1, 1, 1] : (tensor<8x56x56x64xf16>, tensor<3x3x64x128xf16>, tensor<128xf16>) -> tensor<8x56x56x128xf16>
  %1 = mica.relu %0 : tensor<8x56x56x128xf16>
  %2 = mica.conv2d %d, %e layout = nchw_fchw pads = [1, 1, 1, 1] : (tensor<8x256x14x14xf16>, tensor<256x256x3x3xf16>) -> tensor<8x256x14x14xf16>
  %3 = mica.conv2d %f, %g layout = nhwc_hwcf strides = [2, 2] pads = [3, 2, 3, 2] : (tensor<8x224x224x3xf16>, tensor<7x7x3x64xf16>) -> tensor<8x112x112x64xf16>
  %4 = mica.conv2d %h, %i layout = nchw_fchw pads = [1, 1, 1, 1] : (tensor<8x64x56x56xf32>, tensor<128x64x3x3xf32>) -> tensor<8x128x56x56xf32>
  // A batch of a size known at run time: the sums in f32 need no place in memory, which the device has none for.
  %5 = mica.conv2d %j, %k bias %l layout = nhwc_hwcf pads = [1, 1, 1, 1] : (tensor<?x56x56x64xbf16>, tensor<3x3x64x64xbf16>, tensor<64xbf16>) -> tensor<?x56x56x64xbf16>
  return %1, %2, %3, %4, %5 : tensor<8x56x56x128xf16>, tensor<8x256x14x14xf16>, tensor<8x112x112x64xf16>, tensor<8x128x56x56xf32>, tensor<?x56x56x64xbf16>
}
