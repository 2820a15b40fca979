// RUN: mica-opt %s -split-input-file -verify-diagnostics

// For each operation of functions, logic, casts and generators and each constraint (CN) of its description a function <op>_c<N> that
// breaks this one alone.

func.func @abs_c1(%x: tensor<4xi1>) {
  // expected-error @+1 {{'mica.abs' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.abs %x : tensor<4xi1>
  return
}

// -----

func.func @abs_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.abs' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.abs"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @log_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.log' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.log %x : tensor<4xi32>
  return
}

// -----

func.func @log_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.log' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.log"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @sqrt_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.sqrt' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.sqrt %x : tensor<4xi32>
  return
}

// -----

func.func @sqrt_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.sqrt' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.sqrt"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @rsqrt_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.rsqrt' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.rsqrt %x : tensor<4xi32>
  return
}

// -----

func.func @rsqrt_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.rsqrt' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.rsqrt"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @sin_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.sin' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.sin %x : tensor<4xi32>
  return
}

// -----

func.func @sin_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.sin' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.sin"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @cos_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.cos' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.cos %x : tensor<4xi32>
  return
}

// -----

func.func @cos_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.cos' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.cos"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @floor_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.floor' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.floor %x : tensor<4xi32>
  return
}

// -----

func.func @floor_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.floor' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.floor"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @ceil_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.ceil' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.ceil %x : tensor<4xi32>
  return
}

// -----

func.func @ceil_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.ceil' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.ceil"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @round_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.round' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.round %x : tensor<4xi32>
  return
}

// -----

func.func @round_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.round' op (C2) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.round"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @logical_not_c1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.logical_not' op (C1) must have elements of i1, got 'i32'}}
  %0 = mica.logical_not %x : tensor<4xi32>
  return
}

// -----

func.func @logical_not_c2(%x: tensor<4xi1>) {
  // expected-error @+1 {{'mica.logical_not' op (C2) the result must have the operand's type 'tensor<4xi1>', got 'tensor<5xi1>'}}
  %0 = "mica.logical_not"(%x) : (tensor<4xi1>) -> tensor<5xi1>
  return
}

// -----

func.func @bitwise_not_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.bitwise_not' op (C1) must have elements of an integer type, got 'f32'}}
  %0 = mica.bitwise_not %x : tensor<4xf32>
  return
}

// -----

func.func @bitwise_not_c2(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.bitwise_not' op (C2) the result must have the operand's type 'tensor<4xi32>', got 'tensor<5xi32>'}}
  %0 = "mica.bitwise_not"(%x) : (tensor<4xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @pow_c1(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.pow' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.pow %a, %b : tensor<4x8xi1>
  return
}

// -----

func.func @pow_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.pow' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.pow %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @pow_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.pow' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.pow %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @pow_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.pow' op (C4) the result must be 'tensor<4x8xf32>', got 'tensor<1x8xf32>'}}
  %0 = mica.pow %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @rem_c1(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.rem' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.rem %a, %b : tensor<4x8xi1>
  return
}

// -----

func.func @rem_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.rem' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.rem %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @rem_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.rem' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.rem %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @rem_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.rem' op (C4) the result must be 'tensor<4x8xf32>', got 'tensor<1x8xf32>'}}
  %0 = mica.rem %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @logical_and_c1(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  // expected-error @+1 {{'mica.logical_and' op (C1) must have elements of i1, got 'i32'}}
  %0 = mica.logical_and %a, %b : tensor<4x8xi32>
  return
}

// -----

func.func @logical_and_c2(%a: tensor<4x8xi1>, %b: tensor<8xi1>) {
  // expected-error @+1 {{'mica.logical_and' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.logical_and %a, %b : (tensor<4x8xi1>, tensor<8xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @logical_and_c3(%a: tensor<4x8xi1>, %b: tensor<4x9xi1>) {
  // expected-error @+1 {{'mica.logical_and' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.logical_and %a, %b : (tensor<4x8xi1>, tensor<4x9xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @logical_and_c4(%a: tensor<4x8xi1>, %b: tensor<1x8xi1>) {
  // expected-error @+1 {{'mica.logical_and' op (C4) the result must be 'tensor<4x8xi1>', got 'tensor<1x8xi1>'}}
  %0 = mica.logical_and %a, %b : (tensor<4x8xi1>, tensor<1x8xi1>) -> tensor<1x8xi1>
  return
}

// -----

func.func @logical_or_c1(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  // expected-error @+1 {{'mica.logical_or' op (C1) must have elements of i1, got 'i32'}}
  %0 = mica.logical_or %a, %b : tensor<4x8xi32>
  return
}

// -----

func.func @logical_or_c2(%a: tensor<4x8xi1>, %b: tensor<8xi1>) {
  // expected-error @+1 {{'mica.logical_or' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.logical_or %a, %b : (tensor<4x8xi1>, tensor<8xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @logical_or_c3(%a: tensor<4x8xi1>, %b: tensor<4x9xi1>) {
  // expected-error @+1 {{'mica.logical_or' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.logical_or %a, %b : (tensor<4x8xi1>, tensor<4x9xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @logical_or_c4(%a: tensor<4x8xi1>, %b: tensor<1x8xi1>) {
  // expected-error @+1 {{'mica.logical_or' op (C4) the result must be 'tensor<4x8xi1>', got 'tensor<1x8xi1>'}}
  %0 = mica.logical_or %a, %b : (tensor<4x8xi1>, tensor<1x8xi1>) -> tensor<1x8xi1>
  return
}

// -----

func.func @logical_xor_c1(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  // expected-error @+1 {{'mica.logical_xor' op (C1) must have elements of i1, got 'i32'}}
  %0 = mica.logical_xor %a, %b : tensor<4x8xi32>
  return
}

// -----

func.func @logical_xor_c2(%a: tensor<4x8xi1>, %b: tensor<8xi1>) {
  // expected-error @+1 {{'mica.logical_xor' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.logical_xor %a, %b : (tensor<4x8xi1>, tensor<8xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @logical_xor_c3(%a: tensor<4x8xi1>, %b: tensor<4x9xi1>) {
  // expected-error @+1 {{'mica.logical_xor' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.logical_xor %a, %b : (tensor<4x8xi1>, tensor<4x9xi1>) -> tensor<4x8xi1>
  return
}

// -----

func.func @logical_xor_c4(%a: tensor<4x8xi1>, %b: tensor<1x8xi1>) {
  // expected-error @+1 {{'mica.logical_xor' op (C4) the result must be 'tensor<4x8xi1>', got 'tensor<1x8xi1>'}}
  %0 = mica.logical_xor %a, %b : (tensor<4x8xi1>, tensor<1x8xi1>) -> tensor<1x8xi1>
  return
}

// -----

func.func @bitwise_and_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.bitwise_and' op (C1) must have elements of an integer type, got 'f32'}}
  %0 = mica.bitwise_and %a, %b : tensor<4x8xf32>
  return
}

// -----

func.func @bitwise_and_c2(%a: tensor<4x8xi32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{'mica.bitwise_and' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.bitwise_and %a, %b : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @bitwise_and_c3(%a: tensor<4x8xi32>, %b: tensor<4x9xi32>) {
  // expected-error @+1 {{'mica.bitwise_and' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.bitwise_and %a, %b : (tensor<4x8xi32>, tensor<4x9xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @bitwise_and_c4(%a: tensor<4x8xi32>, %b: tensor<1x8xi32>) {
  // expected-error @+1 {{'mica.bitwise_and' op (C4) the result must be 'tensor<4x8xi32>', got 'tensor<1x8xi32>'}}
  %0 = mica.bitwise_and %a, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
  return
}

// -----

func.func @bitwise_or_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.bitwise_or' op (C1) must have elements of an integer type, got 'f32'}}
  %0 = mica.bitwise_or %a, %b : tensor<4x8xf32>
  return
}

// -----

func.func @bitwise_or_c2(%a: tensor<4x8xi32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{'mica.bitwise_or' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.bitwise_or %a, %b : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @bitwise_or_c3(%a: tensor<4x8xi32>, %b: tensor<4x9xi32>) {
  // expected-error @+1 {{'mica.bitwise_or' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.bitwise_or %a, %b : (tensor<4x8xi32>, tensor<4x9xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @bitwise_or_c4(%a: tensor<4x8xi32>, %b: tensor<1x8xi32>) {
  // expected-error @+1 {{'mica.bitwise_or' op (C4) the result must be 'tensor<4x8xi32>', got 'tensor<1x8xi32>'}}
  %0 = mica.bitwise_or %a, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
  return
}

// -----

func.func @bitwise_xor_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.bitwise_xor' op (C1) must have elements of an integer type, got 'f32'}}
  %0 = mica.bitwise_xor %a, %b : tensor<4x8xf32>
  return
}

// -----

func.func @bitwise_xor_c2(%a: tensor<4x8xi32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{'mica.bitwise_xor' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.bitwise_xor %a, %b : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @bitwise_xor_c3(%a: tensor<4x8xi32>, %b: tensor<4x9xi32>) {
  // expected-error @+1 {{'mica.bitwise_xor' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.bitwise_xor %a, %b : (tensor<4x8xi32>, tensor<4x9xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @bitwise_xor_c4(%a: tensor<4x8xi32>, %b: tensor<1x8xi32>) {
  // expected-error @+1 {{'mica.bitwise_xor' op (C4) the result must be 'tensor<4x8xi32>', got 'tensor<1x8xi32>'}}
  %0 = mica.bitwise_xor %a, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
  return
}

// -----

func.func @shift_left_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.shift_left' op (C1) must have elements of an integer type, got 'f32'}}
  %0 = mica.shift_left %a, %b : tensor<4x8xf32>
  return
}

// -----

func.func @shift_left_c2(%a: tensor<4x8xi32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{'mica.shift_left' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.shift_left %a, %b : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @shift_left_c3(%a: tensor<4x8xi32>, %b: tensor<4x9xi32>) {
  // expected-error @+1 {{'mica.shift_left' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.shift_left %a, %b : (tensor<4x8xi32>, tensor<4x9xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @shift_left_c4(%a: tensor<4x8xi32>, %b: tensor<1x8xi32>) {
  // expected-error @+1 {{'mica.shift_left' op (C4) the result must be 'tensor<4x8xi32>', got 'tensor<1x8xi32>'}}
  %0 = mica.shift_left %a, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
  return
}

// -----

func.func @shift_right_arithmetic_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.shift_right_arithmetic' op (C1) must have elements of an integer type, got 'f32'}}
  %0 = mica.shift_right_arithmetic %a, %b : tensor<4x8xf32>
  return
}

// -----

func.func @shift_right_arithmetic_c2(%a: tensor<4x8xi32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{'mica.shift_right_arithmetic' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.shift_right_arithmetic %a, %b : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @shift_right_arithmetic_c3(%a: tensor<4x8xi32>, %b: tensor<4x9xi32>) {
  // expected-error @+1 {{'mica.shift_right_arithmetic' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.shift_right_arithmetic %a, %b : (tensor<4x8xi32>, tensor<4x9xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @shift_right_arithmetic_c4(%a: tensor<4x8xi32>, %b: tensor<1x8xi32>) {
  // expected-error @+1 {{'mica.shift_right_arithmetic' op (C4) the result must be 'tensor<4x8xi32>', got 'tensor<1x8xi32>'}}
  %0 = mica.shift_right_arithmetic %a, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
  return
}

// -----

func.func @shift_right_logical_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.shift_right_logical' op (C1) must have elements of an integer type, got 'f32'}}
  %0 = mica.shift_right_logical %a, %b : tensor<4x8xf32>
  return
}

// -----

func.func @shift_right_logical_c2(%a: tensor<4x8xi32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{'mica.shift_right_logical' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.shift_right_logical %a, %b : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @shift_right_logical_c3(%a: tensor<4x8xi32>, %b: tensor<4x9xi32>) {
  // expected-error @+1 {{'mica.shift_right_logical' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.shift_right_logical %a, %b : (tensor<4x8xi32>, tensor<4x9xi32>) -> tensor<4x8xi32>
  return
}

// -----

func.func @shift_right_logical_c4(%a: tensor<4x8xi32>, %b: tensor<1x8xi32>) {
  // expected-error @+1 {{'mica.shift_right_logical' op (C4) the result must be 'tensor<4x8xi32>', got 'tensor<1x8xi32>'}}
  %0 = mica.shift_right_logical %a, %b : (tensor<4x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
  return
}

// -----

func.func @compare_c1(%a: tensor<4x8xf32>, %b: tensor<4x8xi16>) {
  // expected-error @+1 {{'mica.compare' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'i16'}}
  %0 = mica.compare lt %a, %b : (tensor<4x8xf32>, tensor<4x8xi16>) -> tensor<4x8xi1>
  return
}

// -----

func.func @compare_c2(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'mica.compare' op (C2) operands have the same rank, but lhs has rank 2 and rhs has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.compare lt %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// -----

func.func @compare_c3(%a: tensor<4x8xf32>, %b: tensor<4x9xf32>) {
  // expected-error @+1 {{'mica.compare' op (C3) sizes differ and none is 1: dim 1 of lhs is 8, of rhs 9}}
  %0 = mica.compare lt %a, %b : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xi1>
  return
}

// -----

func.func @compare_c4(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.compare' op (C4) the result must be 'tensor<4x8xi1>', got 'tensor<4x8xf32>'}}
  %0 = mica.compare lt %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @compare_c4_sizes(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'mica.compare' op (C4) the result must be 'tensor<4x8xi1>', got 'tensor<3x8xi1>'}}
  %0 = mica.compare lt %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<3x8xi1>
  return
}

// -----

func.func @clamp_c1(%x: tensor<4xi1>) {
  // expected-error @+1 {{'mica.clamp' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.clamp %x min = false max = true : tensor<4xi1>
  return
}

// -----

func.func @clamp_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.clamp' op (C2) max must have the operand's element type 'f32', got 6 : i32}}
  %0 = mica.clamp %x min = 0.0 : f32 max = 6 : i32 : tensor<4xf32>
  return
}

// -----

func.func @clamp_c3(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.clamp' op (C3) min must not be above max, got 6 : i32 and -1 : i32}}
  %0 = mica.clamp %x min = 6 : i32 max = -1 : i32 : tensor<4xi32>
  return
}

// -----

func.func @clamp_c3_nan(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.clamp' op (C3) min must not be above max, got 0x7FC00000 : f32 and 1.000000e+00 : f32}}
  %0 = mica.clamp %x min = 0x7FC00000 : f32 max = 1.0 : f32 : tensor<4xf32>
  return
}

// -----

func.func @clamp_c4(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.clamp' op (C4) the result must have the operand's type 'tensor<4xi32>', got 'tensor<5xi32>'}}
  %0 = "mica.clamp"(%x) <{min = 0 : i32, max = 1 : i32}> : (tensor<4xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @select_c1(%c: tensor<4xi8>, %a: tensor<4xf32>) {
  // expected-error @+1 {{'mica.select' op (C1) the elements of condition must be of i1, got 'i8'}}
  %0 = mica.select %c, %a, %a : (tensor<4xi8>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error @+1 {{'mica.select' op (C2) on_true and on_false must have one element type, got 'f32' and 'f16'}}
  %0 = mica.select %c, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c3(%c: tensor<i1>, %a: tensor<4xf32>) {
  // expected-error @+1 {{'mica.select' op (C3) operands have the same rank, but condition has rank 0 and on_true has 1; mica.reshape or mica.broadcast brings one up}}
  %0 = mica.select %c, %a, %a : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c4(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'mica.select' op (C4) sizes differ and none is 1: dim 0 of on_true is 4, of on_false 5}}
  %0 = mica.select %c, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c5(%c: tensor<4xi1>, %a: tensor<1xf32>) {
  // expected-error @+1 {{'mica.select' op (C5) the result must be 'tensor<4xf32>', got 'tensor<1xf32>'}}
  %0 = mica.select %c, %a, %a : (tensor<4xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @cast_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.cast' op (C1) the result must have the operand's shape 4, got 5}}
  %0 = mica.cast %x : tensor<4xf32> to tensor<5xi8>
  return
}

// -----

func.func @cast_c2(%x: tensor<4xi32>) {
  // expected-error @+1 {{'mica.cast' op (C2) rounding is allowed only from a float type to an integer type, got from 'i32' to 'i8'}}
  %0 = mica.cast %x rounding = nearest_even : tensor<4xi32> to tensor<4xi8>
  return
}

// -----

func.func @quantize_c1(%x: tensor<4x8xf32>, %s: tensor<f64>) {
  // expected-error @+1 {{'mica.quantize' op (C1) the input and the scale must have one float type, got 'f32' and 'f64'}}
  %0 = mica.quantize %x scale %s : tensor<f64> : tensor<4x8xf32> to tensor<4x8xi8>
  return
}

// -----

func.func @quantize_c2(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'mica.quantize' op (C2) the elements of the result must be i4, i8, i16 or i32, got 'i64'}}
  %0 = mica.quantize %x scale %s : tensor<f32> : tensor<4x8xf32> to tensor<4x8xi64>
  return
}

// -----

func.func @quantize_c3(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @+1 {{'mica.quantize' op (C3) the scale must have shape a scalar, got 8}}
  %0 = mica.quantize %x scale %s : tensor<8xf32> : tensor<4x8xf32> to tensor<4x8xi8>
  return
}

// -----

func.func @quantize_c3_sizes(%x: tensor<4x8xf32>, %s: tensor<6xf32>) {
  // expected-error @+1 {{'mica.quantize' op (C3) the scale must have shape 8, got 6}}
  %0 = mica.quantize %x scale %s : tensor<6xf32> axis = 1 : tensor<4x8xf32> to tensor<4x8xi8>
  return
}

// -----

func.func @quantize_c4(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @+1 {{'mica.quantize' op (C4) axis 2 is outside of the operand's rank 2}}
  %0 = mica.quantize %x scale %s : tensor<8xf32> axis = 2 : tensor<4x8xf32> to tensor<4x8xi8>
  return
}

// -----

func.func @quantize_c5(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'mica.quantize' op (C5) the result must have the operand's shape 4x8, got 4x9}}
  %0 = mica.quantize %x scale %s : tensor<f32> : tensor<4x8xf32> to tensor<4x9xi8>
  return
}

// -----

func.func @dequantize_c1(%x: tensor<4x8xi8>, %s: tensor<f64>) {
  // expected-error @+1 {{'mica.dequantize' op (C1) the result and the scale must have one float type, got 'f32' and 'f64'}}
  %0 = mica.dequantize %x scale %s : tensor<f64> : tensor<4x8xi8> to tensor<4x8xf32>
  return
}

// -----

func.func @dequantize_c2(%x: tensor<4x8xi64>, %s: tensor<f32>) {
  // expected-error @+1 {{'mica.dequantize' op (C2) the elements of the input must be i4, i8, i16 or i32, got 'i64'}}
  %0 = mica.dequantize %x scale %s : tensor<f32> : tensor<4x8xi64> to tensor<4x8xf32>
  return
}

// -----

func.func @dequantize_c3(%x: tensor<4x8xi8>, %s: tensor<8xf32>) {
  // expected-error @+1 {{'mica.dequantize' op (C3) the scale must have shape a scalar, got 8}}
  %0 = mica.dequantize %x scale %s : tensor<8xf32> : tensor<4x8xi8> to tensor<4x8xf32>
  return
}

// -----

func.func @dequantize_c3_sizes(%x: tensor<4x8xi8>, %s: tensor<6xf32>) {
  // expected-error @+1 {{'mica.dequantize' op (C3) the scale must have shape 8, got 6}}
  %0 = mica.dequantize %x scale %s : tensor<6xf32> axis = 1 : tensor<4x8xi8> to tensor<4x8xf32>
  return
}

// -----

func.func @dequantize_c4(%x: tensor<4x8xi8>, %s: tensor<8xf32>) {
  // expected-error @+1 {{'mica.dequantize' op (C4) axis 2 is outside of the operand's rank 2}}
  %0 = mica.dequantize %x scale %s : tensor<8xf32> axis = 2 : tensor<4x8xi8> to tensor<4x8xf32>
  return
}

// -----

func.func @dequantize_c5(%x: tensor<4x8xi8>, %s: tensor<f32>) {
  // expected-error @+1 {{'mica.dequantize' op (C5) the result must have the operand's shape 4x8, got 4x9}}
  %0 = mica.dequantize %x scale %s : tensor<f32> : tensor<4x8xi8> to tensor<4x9xf32>
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+1 {{'mica.iota' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.iota axis = 0 : tensor<4xi1>
  return
}

// -----

func.func @iota_c2() {
  // expected-error @+1 {{'mica.iota' op (C2) axis 1 is outside of the result's rank 1}}
  %0 = mica.iota axis = 1 : tensor<4xi32>
  return
}

// -----

func.func @iota_c3(%n: index) {
  // expected-error @+1 {{'mica.iota' op (C3) one size must be given per dynamic dimension of the result, 2, got 1}}
  %0 = mica.iota axis = 0 sizes(%n) : tensor<?x?xi32>
  return
}

// -----

func.func @one_hot_c1(%i: tensor<4xf32>) {
  // expected-error @+1 {{'mica.one_hot' op (C1) the elements of indices must be of an integer type, got 'f32'}}
  %0 = mica.one_hot %i axis = 1 : tensor<4xf32> to tensor<4x10xf32>
  return
}

// -----

func.func @one_hot_c2(%i: tensor<4xi32>) {
  // expected-error @+1 {{'mica.one_hot' op (C2) axis 2 is outside of the result's rank 2}}
  %0 = mica.one_hot %i axis = 2 : tensor<4xi32> to tensor<4x10xf32>
  return
}

// -----

func.func @one_hot_c3(%i: tensor<4xi32>) {
  // expected-error @+1 {{'mica.one_hot' op (C3) the result must have the shape of the indices, 4, and a static size along axis 1, got 4x?}}
  %0 = mica.one_hot %i axis = 1 : tensor<4xi32> to tensor<4x?xf32>
  return
}

// -----

func.func @one_hot_c3_sizes(%i: tensor<4xi32>) {
  // expected-error @+1 {{'mica.one_hot' op (C3) the result must have the shape of the indices, 4, and a static size along axis 1, got 5x3}}
  %0 = mica.one_hot %i axis = 1 : tensor<4xi32> to tensor<5x3xf32>
  return
}
