func.func @main(%a: tensor<8x56x56x64xf16>, %b: tensor<3x3x64x128xf16>, %c: tensor<128xf16>,
                %d: tensor<8x256x14x14xf16>, %e: tensor<256x256x3x3xf16>,
                %f: tensor<8x224x224x3xf16>, %g: tensor<7x7x3x64xf16>,
                %h: tensor<8x64x56x56xf32>, %i: tensor<128x64x3x3xf32>,
                %j: tensor<?x56x56x64xbf16>, %k: tensor<3x3x64x64xbf16>)
    -> (tensor<8x56x56x128xf16>, tensor<8x256x14x14xf16>, tensor<8x112x112x64xf16>, tensor<8x128x56x56xf32>, tensor<?x56x56x64xf32>) {
  %0 = mica.conv2d %a, %b bias %c layout = nhwc_hwcf pads = [1, 1, 1, 1] : (tensor<8x56x56x64xf16>, tensor<3x3x64x128xf16>, tensor<128xf16>) -> tensor<8x56x56x128xf16>
  %1 = mica.relu %0 : tensor<8x56x56x128xf16>
  %2 = mica.conv2d %d, %e layout = nchw_fchw pads = [1, 1, 1, 1] : (tensor<8x256x14x14xf16>, tensor<256x256x3x3xf16>) -> tensor<8x256x14x14xf16>
  %3 = mica.conv2d %f, %g layout = nhwc_hwcf strides = [2, 2] pads = [3, 2, 3, 2] : (tensor<8x224x224x3xf16>, tensor<7x7x3x64xf16>) -> tensor<8x112x112x64xf16>
  %4 = mica.conv2d %h, %i layout = nchw_fchw pads = [1, 1, 1, 1] : (tensor<8x64x56x56xf32>, tensor<128x64x3x3xf32>) -> tensor<8x128x56x56xf32>
  // A batch of a size known at run time, with padding of its own.
  %c0 = arith.constant 0 : index
  %n = tensor.dim %j, %c0 : tensor<?x56x56x64xbf16>
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %j low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %none : bf16
  } : tensor<?x56x56x64xbf16> to tensor<?x58x58x64xbf16>
  %empty = tensor.empty(%n) : tensor<?x56x56x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32>
  %5 = linalg.conv_2d_nhwc_hwcf ins(%padded, %k : tensor<?x58x58x64xbf16>, tensor<3x3x64x64xbf16>) outs(%zeros : tensor<?x56x56x64xf32>) -> tensor<?x56x56x64xf32>
  return %1, %2, %3, %4, %5 : tensor<8x56x56x128xf16>, tensor<8x256x14x14xf16>, tensor<8x112x112x64xf16>, tensor<8x128x56x56xf32>, tensor<?x56x56x64xf32>
}
