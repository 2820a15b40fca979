// RUN: mica-opt %s -split-input-file -verify-diagnostics

// For each operation and each constraint (CN) of its description a function <op>_c<N> that breaks this one alone.

func.func @add_c1(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.add' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.add %a, %b : tensor<4x8xi1>
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
  // expected-error @+1 {{'mica.add' op (C4) the result must be 'tensor<4x8xf32>', got 'tensor<1x8xf32>'}}
  %0 = mica.add %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @sub_c1(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.sub' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.sub %a, %b : tensor<4x8xi1>
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
  // expected-error @+1 {{'mica.sub' op (C4) the result must be 'tensor<4x8xf32>', got 'tensor<1x8xf32>'}}
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
  // expected-error @+1 {{'mica.mul' op (C4) the result must be 'tensor<4x8xf32>', got 'tensor<1x8xf32>'}}
  %0 = mica.mul %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @div_c1(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.div' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.div %a, %b : tensor<4x8xi1>
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
  // expected-error @+1 {{'mica.div' op (C4) the result must be 'tensor<4x8xf32>', got 'tensor<1x8xf32>'}}
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
  // expected-error @+1 {{'mica.max' op (C4) the result must be 'tensor<4x8xf32>', got 'tensor<1x8xf32>'}}
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
  // expected-error @+1 {{'mica.min' op (C4) the result must be 'tensor<4x8xf32>', got 'tensor<1x8xf32>'}}
  %0 = mica.min %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @neg_c1(%x: tensor<4xi1>) {
  // expected-error @+1 {{'mica.neg' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.neg %x : tensor<4xi1>
  return
}

// -----

func.func @neg_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.neg' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.neg"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @exp_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.exp' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.exp %x : tensor<4xi32>
  return
}

// -----

func.func @exp_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.exp' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.exp"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @tanh_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.tanh' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.tanh %x : tensor<4xi32>
  return
}

// -----

func.func @tanh_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.tanh' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.tanh"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @erf_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.erf' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.erf %x : tensor<4xi32>
  return
}

// -----

func.func @erf_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.erf' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.erf"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @sigmoid_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.sigmoid' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.sigmoid %x : tensor<4xi32>
  return
}

// -----

func.func @sigmoid_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.sigmoid' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.sigmoid"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @relu_c1(%x: tensor<4xi1>) {
  // expected-error @+1 {{'mica.relu' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.relu %x : tensor<4xi1>
  return
}

// -----

func.func @relu_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.relu' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.relu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @gelu_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.gelu' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.gelu %x : tensor<4xi32>
  return
}

// -----

func.func @gelu_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.gelu' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.gelu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @silu_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.silu' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.silu %x : tensor<4xi32>
  return
}

// -----

func.func @silu_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.silu' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
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
  // expected-error @+1 {{'mica.matmul' op (C5) the result must be 'tensor<4x2xf32>', got 'tensor<2x4xf32>'}}
  %0 = mica.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_c5_narrower(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+1 {{'mica.matmul' op (C5) the result must be 'tensor<4x2xf32>', got 'tensor<4x2xf16>'}}
  %0 = mica.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf16>
  return
}

// -----

func.func @reduce_c1(%x: tensor<4x8xi32>) {
  // expected-error @+1 {{'mica.reduce' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.reduce mean %x dims = [1] : (tensor<4x8xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @reduce_c1_sum(%x: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.reduce' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.reduce sum %x dims = [1] : (tensor<4x8xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @reduce_c1_prod(%x: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.reduce' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.reduce prod %x dims = [1] : (tensor<4x8xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @reduce_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reduce' op (C2) dims is empty}}
  %0 = mica.reduce sum %x dims = [] : tensor<4x8xf32>
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
  // expected-error @+1 {{'mica.reduce' op (C3) the result must be 'tensor<4x1xf32>', got 'tensor<4xf32>'}}
  %0 = mica.reduce sum %x dims = [1] keep_dims : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c3_sizes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reduce' op (C3) the result must be 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = mica.reduce sum %x dims = [1] : (tensor<4x8xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @softmax_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.softmax' op (C1) must have elements of a float type, got 'i32'}}
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
  // expected-error @+1 {{'mica.softmax' op (C3) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
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
  // expected-error @+1 {{'mica.layer_norm' op (C3) the scale must have the shape of the input from dim 1 on, 4x8, got 8}}
  %0 = mica.layer_norm %x scale %s : tensor<8xf32> axis = 1 epsilon = 1.0e-5 : tensor<2x4x8xf32>
  return
}

// -----

func.func @layer_norm_c3_sizes(%x: tensor<4x8xf32>, %s: tensor<6xf32>) {
  // expected-error @+1 {{'mica.layer_norm' op (C3) the scale must have the shape of the input from dim 1 on, 8, got 6}}
  %0 = mica.layer_norm %x scale %s : tensor<6xf32> axis = 1 epsilon = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c3_bias(%x: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'mica.layer_norm' op (C3) the bias must have the shape of the input from dim 1 on, 8, got 4}}
  %0 = mica.layer_norm %x bias %b : tensor<4xf32> axis = 1 epsilon = 1.0e-5 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c4(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.layer_norm' op (C4) epsilon must be finite and not negative, got -1.000000e+00 : f64}}
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
  // expected-error @+1 {{'mica.constant' op (C1) the value must be dense or dense_resource, got sparse<0, 1> : tensor<4xi32>}}
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
  %0 = mica.transpose %x permutation = [0, 0] : tensor<4x8xf32>
  return
}

// -----

func.func @transpose_c1_count(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.transpose' op (C1) permutation must have one value per dimension of the operand, 2, got 1}}
  %0 = mica.transpose %x permutation = [0] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @transpose_c1_outside(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.transpose' op (C1) permutation holds 2, outside of the operand's rank 2}}
  %0 = mica.transpose %x permutation = [0, 2] : tensor<4x8xf32>
  return
}

// -----

func.func @transpose_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.transpose' op (C2) the result must be 'tensor<8x4xf32>', got 'tensor<4x8xf32>'}}
  %0 = mica.transpose %x permutation = [1, 0] : tensor<4x8xf32>
  return
}

// -----

func.func @reshape_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.reshape' op (C1) the result must have the operand's element type 'f32', got 'i32'}}
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
  %0 = mica.reshape %x : tensor<?x0xf32>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'mica.broadcast' op (C1) the result must have the operand's element type 'f32', got 'f64'}}
  %0 = mica.broadcast %x : (tensor<8xf32>) -> tensor<4x8xf64>
  return
}

// -----

func.func @broadcast_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.broadcast' op (C2) the result's rank must be at least the operand's 2, got 1}}
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
  // expected-error @+1 {{'mica.broadcast' op (C4) one size must be given per dynamic dimension of the result, 1, got 0}}
  %0 = mica.broadcast %x : (tensor<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @operands_are_ranked_tensors_of_known_element_types(%x: tensor<4xf80>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8, i4 or i1, but got 'tensor<4xf80>'}}
  %0 = mica.relu %x : tensor<4xf80>
  return
}

// -----

func.func @kind_is_a_string(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has 'mica.kind' = 7 : i64, expected a kind of operation as a string, such as "matmul"}}
  %0 = linalg.exp {mica.kind = 7} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{has 'mica.in_place' = 3 : i64, expected no value}}
func.func private @attribute_in_place() attributes {mica.in_place = 3 : i64}

// -----

// expected-error @+1 {{has 'mica.loop_kind' = "", expected a string that is not empty}}
func.func private @attribute_loop_kind() attributes {mica.loop_kind = ""}

// -----

// expected-error @+1 {{has 'mica.related_sizes' = [{sizes = array<i64: 1>}], expected an array of {sizes = array<i64: five numbers>}}
func.func private @attribute_related_sizes() attributes {mica.related_sizes = [{sizes = array<i64: 1>}]}

// -----

// expected-error @+1 {{has 'mica.apart' = "x", expected an i64}}
func.func private @attribute_apart() attributes {mica.apart = "x"}

// -----

// expected-error @+1 {{has 'mica.used' = 1 : i64, expected no value}}
func.func private @attribute_used() attributes {mica.used = 1 : i64}

// -----

// expected-error @+1 {{has 'mica.stage' = {}, expected a dictionary as --compile-to=PHASE writes it, on the program}}
func.func private @attribute_stage() attributes {mica.stage = {}}

// -----

// expected-error @+1 {{has the unknown attribute 'mica.kinds'}}
func.func private @unknown_attribute() attributes {mica.kinds}

// -----

// expected-error @+1 {{argument 0 has 'mica.name' = 1 : i64, expected a string that is not empty, on an argument or result of a function}}
func.func private @named_by_a_number(f32 {mica.name = 1 : i64})

// -----

// expected-error @+1 {{argument 0 has 'mica.unsigned' = true, expected no value, on an argument or result of a function}}
func.func private @unsigned_by_a_value(i8 {mica.unsigned = true})

// -----

// expected-error @+1 {{argument 0 has 'mica.imaginary' and type 'f32', expected f32 or f64 elements, and before it a real part of this type}}
func.func private @imaginary_alone(f32 {mica.imaginary})

// -----

// expected-error @+1 {{result 1 has 'mica.imaginary' and type 'tensor<3xf32>', expected f32 or f64 elements, and before it a real part of this type}}
func.func private @imaginary_of_another_shape() -> (tensor<2xf32>, tensor<3xf32> {mica.imaginary})

// -----

// expected-error @+1 {{argument 0 has 'mica.share_elements' = -1 : i64, expected an i64 of at least 0, on an argument of a function}}
func.func private @negative_share(memref<4xf32> {mica.share_elements = -1 : i64})

// -----

// expected-error @+1 {{result 0 has the unknown attribute 'mica.nam'}}
func.func private @unknown_of_result() -> (f32 {mica.nam = "y"})

// -----

// Types in a list, as upstream's operations write them.
func.func @types_in_a_list(%a: tensor<1x8xf32>, %b: tensor<8x8xf32>) {
  // expected-error @+1 {{expected one type for all operands and the result, or a function type: (OPERAND, ...) -> RESULT}}
  %0 = mica.matmul %a, %b : tensor<1x8xf32>, tensor<8x8xf32> -> tensor<1x8xf32>
  return
}
