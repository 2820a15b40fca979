func.func @main(%a0: tensor<?x14x15x32xf16>, %b0: tensor<3x3x32x40xf16>, %c0: tensor<40xf16>,
                %a1: tensor<2x16x13x16xbf16>, %b1: tensor<33x16x3x3xbf16>, %c1: tensor<33xbf16>,
                %a2: tensor<?x17x18x16xi8>, %b2: tensor<3x2x16x20xi8>,
                %a3: tensor<2x20x21x3xf32>, %b3: tensor<48x5x5x3xf32>,
                %a4: tensor<2x24x70xf16>, %b4: tensor<16x24x3xf16>,
                %a5: tensor<1x6x7x8x16xf32>, %b5: tensor<2x3x2x16x32xf32>,
                %a6: tensor<2x9x9x48xf16>, %b6: tensor<3x3x16x96xf16>,
                %a7: tensor<3x10x5x64xf16>, %b7: tensor<64x48xf16>, %r7: tensor<3x10x5x48xf16>,
                %a8: tensor<1x?x?x16xf16>, %b8: tensor<3x3x16x16xf16>,
                %a9: tensor<2x9x8x16xf16>, %b9: tensor<24x1x1x16xf16>, %c9: tensor<24xf16>,
                %a10: tensor<2x16x9x8xf64>, %b10: tensor<17x16x3x3xf64>, %c10: tensor<17xf64>)
    -> (tensor<?x7x8x40xf16>, tensor<2x33x11x12xbf16>, tensor<?x8x17x20xi32>, tensor<2x16x17x48xf32>, tensor<2x16x34xf16>,
        tensor<1x5x5x7x32xf32>, tensor<2x9x9x96xf16>, tensor<3x10x5x48xf16>, tensor<1x?x?x16xf16>, tensor<2x9x8x24xf16>,
        tensor<2x17x9x8xf64>) {
  // A batch of a size known at run time, padding, strides, bias and activation.
  %0 = mica.conv2d %a0, %b0 bias %c0 layout = nhwc_hwcf strides = [2, 2] pads = [1, 1, 1, 1] : (tensor<?x14x15x32xf16>, tensor<3x3x32x40xf16>, tensor<40xf16>) -> tensor<?x7x8x40xf16>
  %1 = mica.relu %0 : tensor<?x7x8x40xf16>
  // Elements that lie side by side along image rows, of which a chunk is in two.
  %2 = mica.conv2d %a1, %b1 bias %c1 layout = nchw_fchw dilations = [1, 2] : (tensor<2x16x13x16xbf16>, tensor<33x16x3x3xbf16>, tensor<33xbf16>) -> tensor<2x33x11x12xbf16>
  // Integers, on what is there.
  %c0_index = arith.constant 0 : index
  %batch = tensor.dim %a2, %c0_index : tensor<?x17x18x16xi8>
  %seven = arith.constant 7 : i32
  %empty = tensor.empty(%batch) : tensor<?x8x17x20xi32>
  %sevens = linalg.fill ins(%seven : i32) outs(%empty : tensor<?x8x17x20xi32>) -> tensor<?x8x17x20xi32>
  %3 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a2, %b2 : tensor<?x17x18x16xi8>, tensor<3x2x16x20xi8>) outs(%sevens : tensor<?x8x17x20xi32>) -> tensor<?x8x17x20xi32>
  // Three channels are no chunk.
  %4 = mica.conv2d %a3, %b3 layout = nhwc_fhwc : (tensor<2x20x21x3xf32>, tensor<48x5x5x3xf32>) -> tensor<2x16x17x48xf32>
  %zero16 = arith.constant dense<0.0> : tensor<2x16x34xf16>
  %5 = linalg.conv_1d_ncw_fcw {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>} ins(%a4, %b4 : tensor<2x24x70xf16>, tensor<16x24x3xf16>) outs(%zero16 : tensor<2x16x34xf16>) -> tensor<2x16x34xf16>
  %zero32 = arith.constant dense<0.0> : tensor<1x5x5x7x32xf32>
  %6 = linalg.conv_3d_ndhwc_dhwcf {strides = dense<1> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>} ins(%a5, %b5 : tensor<1x6x7x8x16xf32>, tensor<2x3x2x16x32xf32>) outs(%zero32 : tensor<1x5x5x7x32xf32>) -> tensor<1x5x5x7x32xf32>
  // Groups are batches.
  %7 = mica.conv2d %a6, %b6 layout = nhwc_hwcf pads = [1, 1, 1, 1] groups = 3 : (tensor<2x9x9x48xf16>, tensor<3x3x16x96xf16>) -> tensor<2x9x9x96xf16>
  // No convolution, but rows of several loops, with an addition behind it.
  %zero7 = arith.constant dense<0.0> : tensor<3x10x5x48xf16>
  %8 = linalg.generic {indexing_maps = [affine_map<(a, b, c, n, k) -> (a, b, c, k)>, affine_map<(a, b, c, n, k) -> (k, n)>, affine_map<(a, b, c, n, k) -> (a, b, c, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a7, %b7 : tensor<3x10x5x64xf16>, tensor<64x48xf16>) outs(%zero7 : tensor<3x10x5x48xf16>) {
  ^bb0(%x: f16, %y: f16, %sum: f16):
    %p = arith.mulf %x, %y : f16
    %s = arith.addf %sum, %p : f16
    linalg.yield %s : f16
  } -> tensor<3x10x5x48xf16>
  %9 = mica.add %8, %r7 : tensor<3x10x5x48xf16>
  // Positions are taken apart by sizes known at run time.
  %10 = mica.conv2d %a8, %b8 layout = nhwc_hwcf pads = [1, 1, 1, 1] : (tensor<1x?x?x16xf16>, tensor<3x3x16x16xf16>) -> tensor<1x?x?x16xf16>
  // A window of one element is a product of matrices.
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %11 = tosa.conv2d %a9, %b9, %c9, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x9x8x16xf16>, tensor<24x1x1x16xf16>, tensor<24xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x9x8x24xf16>
  %12 = mica.conv2d %a10, %b10 bias %c10 layout = nchw_fchw pads = [1, 1, 1, 1] : (tensor<2x16x9x8xf64>, tensor<17x16x3x3xf64>, tensor<17xf64>) -> tensor<2x17x9x8xf64>
  return %1, %2, %3, %4, %5, %6, %7, %9, %10, %11, %12 : tensor<?x7x8x40xf16>, tensor<2x33x11x12xbf16>, tensor<?x8x17x20xi32>, tensor<2x16x17x48xf32>, tensor<2x16x34xf16>,
      tensor<1x5x5x7x32xf32>, tensor<2x9x9x96xf16>, tensor<3x10x5x48xf16>, tensor<1x?x?x16xf16>, tensor<2x9x8x24xf16>, tensor<2x17x9x8xf64>
}
