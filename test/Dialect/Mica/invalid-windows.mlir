// RUN: mica-opt %s -split-input-file -verify-diagnostics

// For each operation and each constraint (CN) of its description a function <op>_c<N> that breaks this one alone.

func.func @conv2d_c1(%x: tensor<1x8x8x3xi1>, %w: tensor<3x3x3x4xi1>) {
  // expected-error @+1 {{'mica.conv2d' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xi1>, tensor<3x3x3x4xi1>) -> tensor<1x6x6x4xi1>
  return
}

// -----

func.func @conv2d_c1_filter(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf64>) {
  // expected-error @+1 {{'mica.conv2d' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'f64'}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf64>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c8_type(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'mica.conv2d' op (C8) the bias must have the result's element type 'f32', got 'f64'}}
  %0 = mica.conv2d %x, %w bias %b layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<4xf64>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c2(%x: tensor<8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C2) input must have rank 4, got 3}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c2_filter(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C2) filter must have rank 4, got 3}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c3(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C3) strides must have 2 values, got 1}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf strides = [1] : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c3_dilations(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C3) dilations holds 0, the least is 1}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf dilations = [1, 0] : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c4(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C4) pads holds -1, the least is 0}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf pads = [0, 0, -1, 0] : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c4_count(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C4) pads must have 4 values, got 2}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf pads = [1, 1] : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c5(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C5) groups divides the channels, but 3 does not divide 4 (filter dim 3)}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf groups = 3 : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c6(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x5x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C6) input channels differ: input dim 3 is 3, filter dim 2 is 5 in each of 1 group}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x5x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c6_nchw(%x: tensor<1x3x8x8xf32>, %w: tensor<4x5x3x3xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C6) input channels differ: input dim 1 is 3, filter dim 1 is 5 in each of 1 group}}
  %0 = mica.conv2d %x, %w layout = nchw_fchw : (tensor<1x3x8x8xf32>, tensor<4x5x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv2d_c7(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C7) the window's extent is 9 in dim 1 of the input, where the padded input's is 8 (8 and pads 0 and 0)}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf dilations = [4, 1] : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c7_width(%x: tensor<1x8x8x3xf32>, %w: tensor<3x11x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C7) the window's extent is 11 in dim 2 of the input, where the padded input's is 10 (8 and pads 1 and 1)}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf pads = [0, 0, 1, 1] : (tensor<1x8x8x3xf32>, tensor<3x11x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c8(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C8) the bias must have one element per channel of the result, shape 4, got 3}}
  %0 = mica.conv2d %x, %w bias %b layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<3xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c9(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C9) the result must be 'tensor<1x6x6x4xf32>', got 'tensor<1x8x8x3xf32>'}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @conv2d_c9_narrower(%x: tensor<1x8x8x3xi32>, %w: tensor<3x3x3x4xi32>) {
  // expected-error @+1 {{'mica.conv2d' op (C9) the result must be 'tensor<1x6x6x4xi32>', got 'tensor<1x6x6x4xi8>'}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xi32>, tensor<3x3x3x4xi32>) -> tensor<1x6x6x4xi8>
  return
}

// -----

func.func @conv2d_c9_kind(%x: tensor<1x8x8x3xi8>, %w: tensor<3x3x3x4xi8>) {
  // expected-error @+1 {{'mica.conv2d' op (C9) the result must be 'tensor<1x6x6x4xi8>', got 'tensor<1x6x6x4xf32>'}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xi8>, tensor<3x3x3x4xi8>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @max_pool_c1(%x: tensor<1x8x8x3xi1>) {
  // expected-error @+1 {{'mica.max_pool' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] : (tensor<1x8x8x3xi1>) -> tensor<1x7x7x3xi1>
  return
}

// -----

func.func @max_pool_c2(%x: tensor<8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C2) input must have rank 4, got 3}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] : (tensor<8x8x3xf32>) -> tensor<7x7x3xf32>
  return
}

// -----

func.func @max_pool_c3(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C3) kernel must have 2 values, got 1}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @max_pool_c3_strides(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C3) strides holds 0, the least is 1}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] strides = [0, 1] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @max_pool_c4(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C4) pads are smaller than the kernel, but pads[1] is 2 and kernel[0] is 2}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] pads = [0, 2, 0, 0] : (tensor<1x8x8x3xf32>) -> tensor<1x9x7x3xf32>
  return
}

// -----

func.func @max_pool_c4_count(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C4) pads must have 4 values, got 1}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] pads = [1] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @max_pool_c5(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C5) the window's extent is 11 in dim 1 of the input, where the padded input's is 10 (8 and pads 1 and 1)}}
  %0 = mica.max_pool %x layout = nhwc kernel = [11, 2] pads = [1, 1, 0, 0] : (tensor<1x8x8x3xf32>) -> tensor<1x1x7x3xf32>
  return
}

// -----

func.func @max_pool_c6(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C6) the result must be 'tensor<1x7x7x3xf32>', got 'tensor<1x8x8x3xf32>'}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] : tensor<1x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_c1(%x: tensor<1x8x8x3xi32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] : (tensor<1x8x8x3xi32>) -> tensor<1x7x7x3xi32>
  return
}

// -----

func.func @avg_pool_c2(%x: tensor<8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C2) input must have rank 4, got 3}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] : (tensor<8x8x3xf32>) -> tensor<7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c3(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C3) kernel must have 2 values, got 1}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c3_strides(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C3) strides holds 0, the least is 1}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] strides = [0, 1] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c4(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C4) pads are smaller than the kernel, but pads[1] is 2 and kernel[0] is 2}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] pads = [0, 2, 0, 0] : (tensor<1x8x8x3xf32>) -> tensor<1x9x7x3xf32>
  return
}

// -----

func.func @avg_pool_c4_count(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C4) pads must have 4 values, got 1}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] pads = [1] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c5(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C5) the window's extent is 11 in dim 1 of the input, where the padded input's is 10 (8 and pads 1 and 1)}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [11, 2] pads = [1, 1, 0, 0] : (tensor<1x8x8x3xf32>) -> tensor<1x1x7x3xf32>
  return
}

// -----

func.func @avg_pool_c6(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C6) the result must be 'tensor<1x7x7x3xf32>', got 'tensor<1x8x8x3xf32>'}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] : tensor<1x8x8x3xf32>
  return
}

// -----

func.func @conv2d_c5_least(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C5) groups must be at least 1, got 0}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf groups = 0 : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c6_groups(%x: tensor<1x8x8x6xf32>, %w: tensor<3x3x2x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C6) input channels differ: input dim 3 is 6, filter dim 2 is 2 in each of 2 groups}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf groups = 2 : (tensor<1x8x8x6xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @max_pool_c3_dilations(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C3) dilations must have 2 values, got 1}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] dilations = [1] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @max_pool_c5_dilated(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C5) the window's extent is 11 in dim 2 of the input, where the padded input's is 8 (8 and pads 0 and 0)}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 3] dilations = [1, 5] : (tensor<1x8x8x3xf32>) -> tensor<1x7x1x3xf32>
  return
}

// -----

func.func @avg_pool_c3_dilations(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C3) dilations must have 2 values, got 1}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] dilations = [1] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c5_dilated(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C5) the window's extent is 11 in dim 2 of the input, where the padded input's is 8 (8 and pads 0 and 0)}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 3] dilations = [1, 5] : (tensor<1x8x8x3xf32>) -> tensor<1x7x1x3xf32>
  return
}

// -----

func.func @conv1d_c1(%x: tensor<1x8x3xi1>, %w: tensor<3x3x4xi1>) {
  // expected-error @+1 {{'mica.conv1d' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.conv1d %x, %w layout = nwc_wcf : (tensor<1x8x3xi1>, tensor<3x3x4xi1>) -> tensor<1x6x4xi1>
  return
}

// -----

func.func @conv1d_c2(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv1d' op (C2) input must have rank 3, got 4}}
  %0 = mica.conv1d %x, %w layout = nwc_wcf : (tensor<1x8x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @conv1d_c3(%x: tensor<1x8x3xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv1d' op (C3) strides must have 1 values, got 2}}
  %0 = mica.conv1d %x, %w layout = nwc_wcf strides = [1, 1] : (tensor<1x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @conv1d_c4(%x: tensor<1x8x3xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv1d' op (C4) pads must have 2 values, got 4}}
  %0 = mica.conv1d %x, %w layout = nwc_wcf pads = [0, 0, 0, 0] : (tensor<1x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @conv1d_c5(%x: tensor<1x8x3xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv1d' op (C5) groups divides the channels, but 3 does not divide 4 (filter dim 2)}}
  %0 = mica.conv1d %x, %w layout = nwc_wcf groups = 3 : (tensor<1x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @conv1d_c6(%x: tensor<1x8x3xf32>, %w: tensor<3x5x4xf32>) {
  // expected-error @+1 {{'mica.conv1d' op (C6) input channels differ: input dim 2 is 3, filter dim 1 is 5 in each of 1 group}}
  %0 = mica.conv1d %x, %w layout = nwc_wcf : (tensor<1x8x3xf32>, tensor<3x5x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @conv1d_c7(%x: tensor<1x8x3xf32>, %w: tensor<9x3x4xf32>) {
  // expected-error @+1 {{'mica.conv1d' op (C7) the window's extent is 9 in dim 1 of the input, where the padded input's is 8 (8 and pads 0 and 0)}}
  %0 = mica.conv1d %x, %w layout = nwc_wcf : (tensor<1x8x3xf32>, tensor<9x3x4xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @conv1d_c8(%x: tensor<1x8x3xf32>, %w: tensor<3x3x4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'mica.conv1d' op (C8) the bias must have one element per channel of the result, shape 4, got 3}}
  %0 = mica.conv1d %x, %w bias %b layout = nwc_wcf : (tensor<1x8x3xf32>, tensor<3x3x4xf32>, tensor<3xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @conv1d_c9(%x: tensor<1x8x3xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv1d' op (C9) the result must be 'tensor<1x6x4xf32>', got 'tensor<1x8x4xf32>'}}
  %0 = mica.conv1d %x, %w layout = nwc_wcf : (tensor<1x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x8x4xf32>
  return
}

// -----

func.func @conv2d_transpose_c1(%x: tensor<1x4x4x6xi1>, %w: tensor<4x3x3x6xi1>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc : (tensor<1x4x4x6xi1>, tensor<4x3x3x6xi1>) -> tensor<1x6x6x4xi1>
  return
}

// -----

func.func @conv2d_transpose_c2(%x: tensor<1x4x4x6xf32>, %w: tensor<4x3x6xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C2) filter must have rank 4, got 3}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc : (tensor<1x4x4x6xf32>, tensor<4x3x6xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_transpose_c3(%x: tensor<1x4x4x6xf32>, %w: tensor<4x3x3x6xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C3) strides holds 0, the least is 1}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc strides = [0, 1] : (tensor<1x4x4x6xf32>, tensor<4x3x3x6xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_transpose_c4(%x: tensor<1x4x4x6xf32>, %w: tensor<4x3x3x6xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C4) pads must have 4 values, got 2}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc pads = [0, 0] : (tensor<1x4x4x6xf32>, tensor<4x3x3x6xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_transpose_c5(%x: tensor<1x4x4x6xf32>, %w: tensor<4x3x3x6xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C5) groups divides the channels, but 4 does not divide 6 (input dim 3)}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc groups = 4 : (tensor<1x4x4x6xf32>, tensor<4x3x3x6xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_transpose_c5_filter(%x: tensor<1x4x4x6xf32>, %w: tensor<4x3x3x2xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C5) groups divides the channels, but 3 does not divide 4 (filter dim 0)}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc groups = 3 : (tensor<1x4x4x6xf32>, tensor<4x3x3x2xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_transpose_c6(%x: tensor<1x4x4x6xf32>, %w: tensor<4x3x3x5xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C6) input channels differ: input dim 3 is 6 in 1 group, filter dim 3 is 5, expected 6}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc : (tensor<1x4x4x6xf32>, tensor<4x3x3x5xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_transpose_c6_groups(%x: tensor<1x6x4x4xf32>, %w: tensor<3x4x3x3xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C6) input channels differ: input dim 1 is 6 in 2 groups, filter dim 0 is 3, expected 6}}
  %0 = mica.conv2d_transpose %x, %w layout = nchw_cfhw groups = 2 : (tensor<1x6x4x4xf32>, tensor<3x4x3x3xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @conv2d_transpose_c7(%x: tensor<1x4x4x6xf32>, %w: tensor<4x3x3x6xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C7) the result has size 0 in dim 2: pads 3 and 3 cut off too much}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc pads = [0, 0, 3, 3] : (tensor<1x4x4x6xf32>, tensor<4x3x3x6xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_transpose_c8(%x: tensor<1x6x4x4xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C8) the bias must have one element per channel of the result, shape 8, got 4}}
  %0 = mica.conv2d_transpose %x, %w bias %b layout = nchw_cfhw groups = 2 : (tensor<1x6x4x4xf32>, tensor<6x4x3x3xf32>, tensor<4xf32>) -> tensor<1x8x6x6xf32>
  return
}

// -----

func.func @conv2d_transpose_c9(%x: tensor<1x4x4x6xf32>, %w: tensor<4x3x3x6xf32>) {
  // expected-error @+1 {{'mica.conv2d_transpose' op (C9) the result must be 'tensor<1x6x6x4xf32>', got 'tensor<1x4x4x4xf32>'}}
  %0 = mica.conv2d_transpose %x, %w layout = nhwc_fhwc : (tensor<1x4x4x6xf32>, tensor<4x3x3x6xf32>) -> tensor<1x4x4x4xf32>
  return
}
