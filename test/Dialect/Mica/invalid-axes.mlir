// RUN: mica-opt %s -split-input-file -verify-diagnostics

// For each operation and each constraint (CN) of its description a function <op>_c<N> that breaks this one alone.

func.func @argmax_c1(%x: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.argmax' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.argmax %x axis = 1 : (tensor<4x8xi1>) -> tensor<4xi64>
  return
}

// -----

func.func @argmax_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.argmax' op (C2) axis 2 is outside of the operand's rank 2}}
  %0 = mica.argmax %x axis = 2 : (tensor<4x8xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @argmax_c3(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{'mica.argmax' op (C3) dim 1 of the input has no element}}
  %0 = mica.argmax %x axis = 1 : (tensor<4x0xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @argmax_c4(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.argmax' op (C4) positions must be i32 or i64, got 'f32'}}
  %0 = mica.argmax %x axis = 1 : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @argmax_c5(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.argmax' op (C5) the result must have shape 4x1, got 'tensor<4xi64>'}}
  %0 = mica.argmax %x axis = 1 keep_dims : (tensor<4x8xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @argmax_c5_sizes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.argmax' op (C5) the result must have shape 4, got 'tensor<5xi64>'}}
  %0 = mica.argmax %x axis = 1 : (tensor<4x8xf32>) -> tensor<5xi64>
  return
}

// -----

func.func @argmin_c1(%x: tensor<4x8xi1>) {
  // expected-error @+1 {{'mica.argmin' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.argmin %x axis = 1 : (tensor<4x8xi1>) -> tensor<4xi64>
  return
}

// -----

func.func @argmin_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.argmin' op (C2) axis 2 is outside of the operand's rank 2}}
  %0 = mica.argmin %x axis = 2 : (tensor<4x8xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @argmin_c3(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{'mica.argmin' op (C3) dim 1 of the input has no element}}
  %0 = mica.argmin %x axis = 1 : (tensor<4x0xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @argmin_c4(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.argmin' op (C4) positions must be i32 or i64, got 'f32'}}
  %0 = mica.argmin %x axis = 1 : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @argmin_c5(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.argmin' op (C5) the result must have shape 4x1, got 'tensor<4xi64>'}}
  %0 = mica.argmin %x axis = 1 keep_dims : (tensor<4x8xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @argmin_c5_sizes(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mica.argmin' op (C5) the result must have shape 4, got 'tensor<5xi64>'}}
  %0 = mica.argmin %x axis = 1 : (tensor<4x8xf32>) -> tensor<5xi64>
  return
}

// -----

func.func @cumsum_c1(%x: tensor<4xi1>) {
  // expected-error @+1 {{'mica.cumsum' op (C1) must have elements of a float type or an integer type, got 'i1'}}
  %0 = mica.cumsum %x axis = 0 : tensor<4xi1>
  return
}

// -----

func.func @cumsum_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.cumsum' op (C2) axis 1 is outside of the operand's rank 1}}
  %0 = mica.cumsum %x axis = 1 : tensor<4xf32>
  return
}

// -----

func.func @cumsum_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mica.cumsum' op (C3) the result must have the operand's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "mica.cumsum"(%x) <{axis = 0 : i64}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}
