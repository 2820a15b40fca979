// RUN: mica-opt %s -split-input-file -verify-diagnostics

// For each operation and each constraint (CN) of its description a function <op>_c<N> that breaks this one alone.

func.func @add_c1(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.add' op (C1) takes elements of type f32, f64, i32 or i64, not 'i1'}}
  %0 = mica.add %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @add_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.add' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @add_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.add' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.add %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @add_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.add' op (C4) the result is 'tensor<4x8xf32>', but is written as 'tensor<1x8xf32>'}}
  %0 = mica.add %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @sub_c1(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.sub' op (C1) takes elements of type f32, f64, i32 or i64, not 'i1'}}
  %0 = mica.sub %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @sub_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.sub' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.sub %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sub_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.sub' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.sub %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sub_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.sub' op (C4) the result is 'tensor<4x8xf32>', but is written as 'tensor<1x8xf32>'}}
  %0 = mica.sub %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @mul_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf64>) {
  // expected-error @+1 {{'mica.mul' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'f64'}}
  %0 = mica.mul %a, %b : (tensor<4x8xf32>, tensor<4x8xf64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.mul' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.mul %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.mul' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.mul %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.mul' op (C4) the result is 'tensor<4x8xf32>', but is written as 'tensor<1x8xf32>'}}
  %0 = mica.mul %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @div_c1(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.div' op (C1) takes elements of type f32, f64, i32 or i64, not 'i1'}}
  %0 = mica.div %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @div_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.div' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.div %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @div_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.div' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.div %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @div_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.div' op (C4) the result is 'tensor<4x8xf32>', but is written as 'tensor<1x8xf32>'}}
  %0 = mica.div %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @max_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf64>) {
  // expected-error @+1 {{'mica.max' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'f64'}}
  %0 = mica.max %a, %b : (tensor<4x8xf32>, tensor<4x8xf64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @max_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.max' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.max %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @max_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.max' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.max %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @max_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.max' op (C4) the result is 'tensor<4x8xf32>', but is written as 'tensor<1x8xf32>'}}
  %0 = mica.max %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @min_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf64>) {
  // expected-error @+1 {{'mica.min' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'f64'}}
  %0 = mica.min %a, %b : (tensor<4x8xf32>, tensor<4x8xf64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @min_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.min' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.min %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @min_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.min' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.min %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @min_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.min' op (C4) the result is 'tensor<4x8xf32>', but is written as 'tensor<1x8xf32>'}}
  %0 = mica.min %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @neg_c1(%x: tensor<4xi1>) {
  // expected-error @+1 {{'mica.neg' op (C1) takes elements of type f32, f64, i32 or i64, not 'i1'}}
  %0 = mica.neg %x : tensor<4xi1>
  return
}

// -----

func.func @neg_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.neg' op (C2) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.neg"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @exp_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.exp' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.exp %x : tensor<4xi32>
  return
}

// -----

func.func @exp_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.exp' op (C2) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.exp"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @tanh_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.tanh' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.tanh %x : tensor<4xi32>
  return
}

// -----

func.func @tanh_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.tanh' op (C2) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.tanh"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @erf_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.erf' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.erf %x : tensor<4xi32>
  return
}

// -----

func.func @erf_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.erf' op (C2) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.erf"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @sigmoid_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.sigmoid' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.sigmoid %x : tensor<4xi32>
  return
}

// -----

func.func @sigmoid_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.sigmoid' op (C2) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.sigmoid"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @relu_c1(%x: tensor<4xi1>) {
  // expected-error @+1 {{'mica.relu' op (C1) takes elements of type f32, f64, i32 or i64, not 'i1'}}
  %0 = mica.relu %x : tensor<4xi1>
  return
}

// -----

func.func @relu_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.relu' op (C2) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.relu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @gelu_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.gelu' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.gelu %x : tensor<4xi32>
  return
}

// -----

func.func @gelu_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.gelu' op (C2) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.gelu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @silu_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.silu' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.silu %x : tensor<4xi32>
  return
}

// -----

func.func @silu_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.silu' op (C2) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.silu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @matmul_c1(%a: tensor<4x8xf32>, %b: tensor<8x2xi32>) {
  // expected-error @+1 {{'mica.matmul' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'i32'}}
  %0 = mica.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c2(%a: tensor<8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+1 {{'mica.matmul' op (C2) ranks are at least 2, and equal or one of them 2, but lhs has rank 1 and rhs has 2}}
  %0 = mica.matmul %a, %b : (tensor<8xf32>, tensor<8x2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @matmul_c2_ranks_differ(%a: tensor<2x3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  // expected-error @+1 {{'mica.matmul' op (C2) ranks are at least 2, and equal or one of them 2, but lhs has rank 4 and rhs has 3}}
  %0 = mica.matmul %a, %b : (tensor<2x3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<2x3x4x2xf32>
  return
}

// -----

func.func @matmul_c3(%a: tensor<4x8xf32>, %b: tensor<9x2xf32>) {
  // expected-error @+1 {{'mica.matmul' op (C3) contracted sizes differ: lhs dim 1 is 8, rhs dim 0 is 9}}
  %0 = mica.matmul %a, %b : (tensor<4x8xf32>, tensor<9x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c3_transposed(%a: tensor<8x4xf32>, %b: tensor<2x9xf32>) {
  // expected-error @+1 {{'mica.matmul' op (C3) contracted sizes differ: lhs dim 0 is 8, rhs dim 1 is 9}}
  %0 = mica.matmul %a, %b transpose_a transpose_b : (tensor<8x4xf32>, tensor<2x9xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_c4(%a: tensor<3x4x8xf32>, %b: tensor<2x8x2xf32>) {
  // expected-error @+1 {{'mica.matmul' op (C4) batch sizes differ and none is 1: dim 0 of lhs is 3, of rhs 2}}
  %0 = mica.matmul %a, %b : (tensor<3x4x8xf32>, tensor<2x8x2xf32>) -> tensor<3x4x2xf32>
  return
}

// -----

func.func @matmul_c5(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+1 {{'mica.matmul' op (C5) the result is 'tensor<4x2xf32>', but is written as 'tensor<2x4xf32>'}}
  %0 = mica.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @conv2d_c1(%x: tensor<1x8x8x3xi1>, %w: tensor<3x3x3x4xi1>) {
  // expected-error @+1 {{'mica.conv2d' op (C1) takes elements of type f32, f64, i32 or i64, not 'i1'}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xi1>, tensor<3x3x3x4xi1>) -> tensor<1x6x6x4xi1>
  return
}

// -----

func.func @conv2d_c1_bias(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'mica.conv2d' op (C1) operands have one element type, but operand 0 has 'f32' and operand 2 has 'f64'}}
  %0 = mica.conv2d %x, %w bias %b layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<4xf64>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c2(%x: tensor<8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C2) input has rank 4, not 3}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c2_filter(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C2) filter has rank 4, not 3}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c3(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C3) strides has 2 values, not 1}}
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
  // expected-error @+1 {{'mica.conv2d' op (C4) pads has 4 values, not 2}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf pads = [1, 1] : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c5(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C5) groups is 1, not 3}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf groups = 3 : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c6(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x5x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C6) input channels differ: input dim 3 is 3, filter dim 2 is 5}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x5x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c6_nchw(%x: tensor<1x3x8x8xf32>, %w: tensor<4x5x3x3xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C6) input channels differ: input dim 1 is 3, filter dim 1 is 5}}
  %0 = mica.conv2d %x, %w layout = nchw_fchw : (tensor<1x3x8x8xf32>, tensor<4x5x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv2d_c7(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C7) the window's height is 9, the padded image's 8 (8 and pads 0 and 0)}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf dilations = [4, 1] : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c7_width(%x: tensor<1x8x8x3xf32>, %w: tensor<3x11x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C7) the window's width is 11, the padded image's 10 (8 and pads 1 and 1)}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf pads = [0, 0, 1, 1] : (tensor<1x8x8x3xf32>, tensor<3x11x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c8(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C8) the bias has shape 4 (filter dim 3), not 3}}
  %0 = mica.conv2d %x, %w bias %b layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<3xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @conv2d_c9(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) {
  // expected-error @+1 {{'mica.conv2d' op (C9) the result is 'tensor<1x6x6x4xf32>', but is written as 'tensor<1x8x8x3xf32>'}}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @max_pool_c1(%x: tensor<1x8x8x3xi1>) {
  // expected-error @+1 {{'mica.max_pool' op (C1) takes elements of type f32, f64, i32 or i64, not 'i1'}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] : (tensor<1x8x8x3xi1>) -> tensor<1x7x7x3xi1>
  return
}

// -----

func.func @max_pool_c2(%x: tensor<8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C2) input has rank 4, not 3}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] : (tensor<8x8x3xf32>) -> tensor<7x7x3xf32>
  return
}

// -----

func.func @max_pool_c3(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C3) kernel has 2 values, not 1}}
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
  // expected-error @+1 {{'mica.max_pool' op (C4) pads has 4 values, not 1}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] pads = [1] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @max_pool_c5(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C5) the window's height is 11, the padded image's 10 (8 and pads 1 and 1)}}
  %0 = mica.max_pool %x layout = nhwc kernel = [11, 2] pads = [1, 1, 0, 0] : (tensor<1x8x8x3xf32>) -> tensor<1x1x7x3xf32>
  return
}

// -----

func.func @max_pool_c6(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.max_pool' op (C6) the result is 'tensor<1x7x7x3xf32>', but is written as 'tensor<1x8x8x3xf32>'}}
  %0 = mica.max_pool %x layout = nhwc kernel = [2, 2] : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @avg_pool_c1(%x: tensor<1x8x8x3xi32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] : (tensor<1x8x8x3xi32>) -> tensor<1x7x7x3xi32>
  return
}

// -----

func.func @avg_pool_c2(%x: tensor<8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C2) input has rank 4, not 3}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] : (tensor<8x8x3xf32>) -> tensor<7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c3(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C3) kernel has 2 values, not 1}}
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
  // expected-error @+1 {{'mica.avg_pool' op (C4) pads has 4 values, not 1}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] pads = [1] : (tensor<1x8x8x3xf32>) -> tensor<1x7x7x3xf32>
  return
}

// -----

func.func @avg_pool_c5(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C5) the window's height is 11, the padded image's 10 (8 and pads 1 and 1)}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [11, 2] pads = [1, 1, 0, 0] : (tensor<1x8x8x3xf32>) -> tensor<1x1x7x3xf32>
  return
}

// -----

func.func @avg_pool_c6(%x: tensor<1x8x8x3xf32>) {
  // expected-error @+1 {{'mica.avg_pool' op (C6) the result is 'tensor<1x7x7x3xf32>', but is written as 'tensor<1x8x8x3xf32>'}}
  %0 = mica.avg_pool %x layout = nhwc kernel = [2, 2] : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @reduce_c1(%x: tensor<4x8xi32>) {
  // expected-error @+1 {{'mica.reduce' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.reduce mean %x dims = [1] : (tensor<4x8xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @reduce_c1_sum(%x: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.reduce' op (C1) takes elements of type f32, f64, i32 or i64, not 'i1'}}
  %0 = mica.reduce sum %x dims = [1] : (tensor<4x8xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @reduce_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reduce' op (C2) dims is empty}}
  %0 = mica.reduce sum %x dims = [] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @reduce_c2_outside(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reduce' op (C2) dims[0] is 2, outside of the operand's rank 2}}
  %0 = mica.reduce sum %x dims = [2] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c2_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reduce' op (C2) dims is strictly increasing, but 0 follows 1}}
  %0 = mica.reduce sum %x dims = [1, 0] : (tensor<4x8xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reduce' op (C3) the result is 'tensor<4x1xf32>', but is written as 'tensor<4xf32>'}}
  %0 = mica.reduce sum %x dims = [1] keep_dims : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @softmax_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.softmax' op (C1) takes elements of type f32 or f64, not 'i32'}}
  %0 = mica.softmax %x axis = 0 : tensor<4xi32>
  return
}

// -----

func.func @softmax_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.softmax' op (C2) axis -1 is outside of the operand's rank 1}}
  %0 = mica.softmax %x axis = -1 : tensor<4xf32>
  return
}

// -----

func.func @softmax_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.softmax' op (C3) the result has the operand's type 'tensor<4xf32>', but is written as 'tensor<5xf32>'}}
  %0 = "mica.softmax"(%x) <{axis = 0 : i64}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @layer_norm_c1(%x: tensor<4x8xf32>, %s: tensor<8xf64>) {
  // expected-error @+1 {{'mica.layer_norm' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'f64'}}
  %0 = mica.layer_norm %x scale %s : tensor<8xf64> axis = 1 epsilon = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.layer_norm' op (C2) axis 2 is outside of the operand's rank 2}}
  %0 = mica.layer_norm %x axis = 2 epsilon = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<2x4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @+1 {{'mica.layer_norm' op (C3) the scale has the shape of the input from dim 1 on, 4x8, not 8}}
  %0 = mica.layer_norm %x scale %s : tensor<8xf32> axis = 1 epsilon = 1.0e-5 : tensor<2x4x8xf32>
  return
}

// -----

func.func @layer_norm_c3_bias(%x: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'mica.layer_norm' op (C3) the bias has the shape of the input from dim 1 on, 8, not 4}}
  %0 = mica.layer_norm %x bias %b : tensor<4xf32> axis = 1 epsilon = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c4(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.layer_norm' op (C4) epsilon is finite and not negative, not -1.000000e+00 : f64}}
  %0 = mica.layer_norm %x axis = 1 epsilon = -1.0 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c5(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{failed to verify that (C5) the result has the operand's type}}
  %0 = "mica.layer_norm"(%x) <{axis = 1 : i64, epsilon = 1.0e-5 : f64, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @constant_c1() {
  // expected-error @+1 {{'mica.constant' op (C1) the value is dense or dense_resource, not sparse<0, 1> : tensor<4xi32>}}
  %0 = mica.constant sparse<[[0]], [1]> : tensor<4xi32>
  return
}

// -----

func.func @constant_c2() {
  // expected-error @+1 {{failed to verify that (C2) the result has the value's type}}
  %0 = "mica.constant"() <{value = dense<1> : tensor<4xi32>}> : () -> tensor<5xi32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.transpose' op (C1) permutation holds 0 twice}}
  %0 = mica.transpose %x permutation = [0, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_c1_count(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.transpose' op (C1) permutation has one value per dimension of the operand, 2, not 1}}
  %0 = mica.transpose %x permutation = [0] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @transpose_c1_outside(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.transpose' op (C1) permutation holds 2, outside of the operand's rank 2}}
  %0 = mica.transpose %x permutation = [0, 2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.transpose' op (C2) the result is 'tensor<8x4xf32>', but is written as 'tensor<4x8xf32>'}}
  %0 = mica.transpose %x permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @reshape_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reshape' op (C1) the result has the operand's element type 'f32', not 'i32'}}
  %0 = mica.reshape %x : (tensor<4x8xf32>) -> tensor<32xi32>
  return
}

// -----

func.func @reshape_c2(%x: tensor<?x8xf32>) {
  // expected-error @+1 {{'mica.reshape' op (C2) at most one dimension of the result is dynamic, but it is ?x?}}
  %0 = mica.reshape %x : (tensor<?x8xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @reshape_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reshape' op (C3) the operand has 32 elements (4x8), the result 33 (33)}}
  %0 = mica.reshape %x : (tensor<4x8xf32>) -> tensor<33xf32>
  return
}

// -----

func.func @reshape_c3_no_multiple(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reshape' op (C3) the operand has 32 elements (4x8), no multiple of the result's 5 (?x5)}}
  %0 = mica.reshape %x : (tensor<4x8xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @reshape_c3_nothing_to_infer_from(%x: tensor<?x0xf32>) {
  // expected-error @+1 {{'mica.reshape' op (C3) the dynamic dimension cannot be inferred from ?x0: the product of the others is 0}}
  %0 = mica.reshape %x : (tensor<?x0xf32>) -> tensor<?x0xf32>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'mica.broadcast' op (C1) the result has the operand's element type 'f32', not 'f64'}}
  %0 = mica.broadcast %x : (tensor<8xf32>) -> tensor<4x8xf64>
  return
}

// -----

func.func @broadcast_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.broadcast' op (C2) the result's rank is at least the operand's 2, not 1}}
  %0 = mica.broadcast %x : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @broadcast_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.broadcast' op (C3) dim 0 of the operand is 4, neither 1 nor dim 1 of the result, 8}}
  %0 = mica.broadcast %x : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_c4(%x: tensor<8xf32>) {
  // expected-error @+1 {{'mica.broadcast' op (C4) one size is given per dynamic dimension of the result, 1, not 0}}
  %0 = mica.broadcast %x : (tensor<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @operands_are_ranked_tensors_of_the_five_element_types(%x: tensor<4xf16>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f32, f64, i32, i64 or i1, but got 'tensor<4xf16>'}}
  %0 = mica.relu %x : tensor<4xf16>
  return
}

// -----

func.func @kind_is_a_string(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has 'mica.kind' = 7 : i64, which is to be a kind of op as a string, such as "matmul"}}
  %0 = linalg.exp {mica.kind = 7} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
