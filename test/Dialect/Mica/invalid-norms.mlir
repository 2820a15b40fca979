// RUN: mica-opt %s -split-input-file -verify-diagnostics

// For each operation and each constraint (CN) of its description a function <op>_c<N> that breaks this one alone.

func.func @rms_norm_c1(%x: tensor<4x8x6xi32>) {
  // expected-error @+1 {{'mica.rms_norm' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.rms_norm %x axis = 2 epsilon = 0.1 : tensor<4x8x6xi32>
  return
}

// -----

func.func @rms_norm_c1_scale(%x: tensor<4x8x6xf32>, %s: tensor<6xf64>) {
  // expected-error @+1 {{'mica.rms_norm' op (C1) operands have one element type, but operand 0 has 'f32' and operand 1 has 'f64'}}
  %0 = mica.rms_norm %x scale %s axis = 2 epsilon = 0.1 : (tensor<4x8x6xf32>, tensor<6xf64>) -> tensor<4x8x6xf32>
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'mica.rms_norm' op (C2) axis 3 is outside of the operand's rank 3}}
  %0 = mica.rms_norm %x axis = 3 epsilon = 0.1 : tensor<4x8x6xf32>
  return
}

// -----

func.func @rms_norm_c3(%x: tensor<4x8x6xf32>, %s: tensor<6xf32>) {
  // expected-error @+1 {{'mica.rms_norm' op (C3) the scale must have the shape of the input from dim 1 on, 8x6, got 6}}
  %0 = mica.rms_norm %x scale %s axis = 1 epsilon = 0.1 : (tensor<4x8x6xf32>, tensor<6xf32>) -> tensor<4x8x6xf32>
  return
}

// -----

func.func @rms_norm_c3_sizes(%x: tensor<4x8xf32>, %s: tensor<6xf32>) {
  // expected-error @+1 {{'mica.rms_norm' op (C3) the scale must have the shape of the input from dim 1 on, 8, got 6}}
  %0 = mica.rms_norm %x scale %s axis = 1 epsilon = 0.1 : (tensor<4x8xf32>, tensor<6xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @rms_norm_c4(%x: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'mica.rms_norm' op (C4) epsilon must be finite and not negative, got -1.000000e+00 : f64}}
  %0 = mica.rms_norm %x axis = 2 epsilon = -1.0 : tensor<4x8x6xf32>
  return
}

// -----

func.func @rms_norm_c5(%x: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'mica.rms_norm' op (C5) the result must have the operand's type 'tensor<4x8x6xf32>', got 'tensor<4x8x7xf32>'}}
  %0 = mica.rms_norm %x axis = 2 epsilon = 0.1 : (tensor<4x8x6xf32>) -> tensor<4x8x7xf32>
  return
}

// -----

func.func @batch_norm_c1(%x: tensor<4x8x6xf32>, %m: tensor<8xf32>, %v: tensor<8xf64>) {
  // expected-error @+1 {{'mica.batch_norm' op (C1) operands have one element type, but operand 0 has 'f32' and operand 2 has 'f64'}}
  %0 = mica.batch_norm %x mean %m variance %v axis = 1 epsilon = 0.1 : (tensor<4x8x6xf32>, tensor<8xf32>, tensor<8xf64>) -> tensor<4x8x6xf32>
  return
}

// -----

func.func @batch_norm_c2(%x: tensor<4x8x6xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{'mica.batch_norm' op (C2) axis -1 is outside of the operand's rank 3}}
  %0 = mica.batch_norm %x mean %m variance %v axis = -1 epsilon = 0.1 : (tensor<4x8x6xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x6xf32>
  return
}

// -----

func.func @batch_norm_c3(%x: tensor<4x8x6xf32>, %m: tensor<8xf32>, %v: tensor<6xf32>) {
  // expected-error @+1 {{'mica.batch_norm' op (C3) the variance must have one element per channel, shape 8 (input dim 1), got 6}}
  %0 = mica.batch_norm %x mean %m variance %v axis = 1 epsilon = 0.1 : (tensor<4x8x6xf32>, tensor<8xf32>, tensor<6xf32>) -> tensor<4x8x6xf32>
  return
}

// -----

func.func @batch_norm_c3_bias(%x: tensor<4x8x6xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %b: tensor<8x1xf32>) {
  // expected-error @+1 {{'mica.batch_norm' op (C3) the bias must have one element per channel, shape 8 (input dim 1), got 8x1}}
  %0 = mica.batch_norm %x mean %m variance %v bias %b axis = 1 epsilon = 0.1 : (tensor<4x8x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x1xf32>) -> tensor<4x8x6xf32>
  return
}

// -----

func.func @batch_norm_c4(%x: tensor<4x8x6xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{'mica.batch_norm' op (C4) epsilon must be finite and not negative, got 0x7FF0000000000000 : f64}}
  %0 = mica.batch_norm %x mean %m variance %v axis = 1 epsilon = 0x7FF0000000000000 : (tensor<4x8x6xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x6xf32>
  return
}

// -----

func.func @batch_norm_c5(%x: tensor<4x8x6xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{'mica.batch_norm' op (C5) the result must have the operand's type 'tensor<4x8x6xf32>', got 'tensor<4x8x7xf32>'}}
  %0 = mica.batch_norm %x mean %m variance %v axis = 1 epsilon = 0.1 : (tensor<4x8x6xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x7xf32>
  return
}

// -----

func.func @group_norm_c1(%x: tensor<4x8x6xi32>) {
  // expected-error @+1 {{'mica.group_norm' op (C1) must have elements of a float type, got 'i32'}}
  %0 = mica.group_norm %x groups = 2 axis = 1 epsilon = 0.1 : tensor<4x8x6xi32>
  return
}

// -----

func.func @group_norm_c2(%x: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'mica.group_norm' op (C2) axis must be at least 1 (dim 0 is the batch) and smaller than the operand's rank 3, got 0}}
  %0 = mica.group_norm %x groups = 2 axis = 0 epsilon = 0.1 : tensor<4x8x6xf32>
  return
}

// -----

func.func @group_norm_c3(%x: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'mica.group_norm' op (C3) groups must be at least 1 and divide the channels, got 3 for 8 channels (input dim 1)}}
  %0 = mica.group_norm %x groups = 3 axis = 1 epsilon = 0.1 : tensor<4x8x6xf32>
  return
}

// -----

func.func @group_norm_c4(%x: tensor<4x8x6xf32>, %s: tensor<2xf32>) {
  // expected-error @+1 {{'mica.group_norm' op (C4) the scale must have one element per channel, shape 8 (input dim 1), got 2}}
  %0 = mica.group_norm %x scale %s groups = 2 axis = 1 epsilon = 0.1 : (tensor<4x8x6xf32>, tensor<2xf32>) -> tensor<4x8x6xf32>
  return
}

// -----

func.func @group_norm_c5(%x: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'mica.group_norm' op (C5) epsilon must be finite and not negative, got -1.000000e+00 : f64}}
  %0 = mica.group_norm %x groups = 2 axis = 1 epsilon = -1.0 : tensor<4x8x6xf32>
  return
}

// -----

func.func @group_norm_c6(%x: tensor<4x8x6xf32>) {
  // expected-error @+1 {{'mica.group_norm' op (C6) the result must have the operand's type 'tensor<4x8x6xf32>', got 'tensor<4x8x7xf32>'}}
  %0 = mica.group_norm %x groups = 2 axis = 1 epsilon = 0.1 : (tensor<4x8x6xf32>) -> tensor<4x8x7xf32>
  return
}
