// RUN: mica-opt %s -split-input-file -verify-diagnostics

// For each operation and each constraint (CN) of its description a function <op>_c<N> that breaks this one alone.

func.func @pad_c1(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'mica.pad' op (C1) low must have 2 values, got 1}}
  %0 = mica.pad %x low = [1] high = [1, 0] mode = edge : (tensor<4x3xf32>) -> tensor<6x3xf32>
  return
}

// -----

func.func @pad_c1_negative(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'mica.pad' op (C1) high holds -1, the least is 0}}
  %0 = mica.pad %x low = [1, 0] high = [-1, 0] mode = edge : (tensor<4x3xf32>) -> tensor<6x3xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'mica.pad' op (C2) a value is allowed only with mode constant, got edge}}
  %0 = mica.pad %x low = [1, 0] high = [1, 0] mode = edge value = 1.0 : f32 : (tensor<4x3xf32>) -> tensor<6x3xf32>
  return
}

// -----

func.func @pad_c2_type(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'mica.pad' op (C2) the value must have the operand's element type 'f32', got 'f64'}}
  %0 = mica.pad %x low = [1, 0] high = [1, 0] mode = constant value = 1.0 : f64 : (tensor<4x3xf32>) -> tensor<6x3xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'mica.pad' op (C3) mode reflect allows a border of at most 3 from the 4 elements of dim 0, got 4}}
  %0 = mica.pad %x low = [4, 0] high = [0, 0] mode = reflect : (tensor<4x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @pad_c3_wrap(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'mica.pad' op (C3) mode wrap allows a border of at most 3 from the 3 elements of dim 1, got 4}}
  %0 = mica.pad %x low = [0, 0] high = [0, 4] mode = wrap : (tensor<4x3xf32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @pad_c3_edge(%x: tensor<0x3xf32>) {
  // expected-error @+1 {{'mica.pad' op (C3) mode edge allows a border of at most 0 from the 0 elements of dim 0, got 1}}
  %0 = mica.pad %x low = [1, 0] high = [0, 0] mode = edge : (tensor<0x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @pad_c4(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'mica.pad' op (C4) the result must be 'tensor<6x3xf32>', got 'tensor<5x3xf32>'}}
  %0 = mica.pad %x low = [1, 0] high = [1, 0] mode = edge : (tensor<4x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @resize_c1(%x: tensor<1x4x4x3xi32>) {
  // expected-error @+1 {{'mica.resize' op (C1) the elements of the input must be of a float type, got 'i32'}}
  %0 = mica.resize %x layout = nhwc mode = bilinear coordinates = half_pixel : (tensor<1x4x4x3xi32>) -> tensor<1x8x8x3xi32>
  return
}

// -----

func.func @resize_c2(%x: tensor<4x4x3xf32>) {
  // expected-error @+1 {{'mica.resize' op (C2) input must have rank 4, got 3}}
  %0 = mica.resize %x layout = nhwc mode = bilinear coordinates = half_pixel : (tensor<4x4x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @resize_c3(%x: tensor<1x4x4x3xf32>) {
  // expected-error @+1 {{'mica.resize' op (C3) the result has the operand's element type, batch and channels, but the operand is 'tensor<1x4x4x3xf32>' and the result 'tensor<1x8x8x4xf32>'}}
  %0 = mica.resize %x layout = nhwc mode = bilinear coordinates = half_pixel : (tensor<1x4x4x3xf32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @resize_c3_type(%x: tensor<1x4x4x3xf32>) {
  // expected-error @+1 {{'mica.resize' op (C3) the result has the operand's element type, batch and channels, but the operand is 'tensor<1x4x4x3xf32>' and the result 'tensor<1x8x8x3xf64>'}}
  %0 = mica.resize %x layout = nhwc mode = bilinear coordinates = half_pixel : (tensor<1x4x4x3xf32>) -> tensor<1x8x8x3xf64>
  return
}

// -----

func.func @resize_c4(%x: tensor<1x4x4x3xf32>) {
  // expected-error @+1 {{'mica.resize' op (C4) height and width are at least 1, but dim 2 of the result is 0}}
  %0 = mica.resize %x layout = nhwc mode = bilinear coordinates = half_pixel : (tensor<1x4x4x3xf32>) -> tensor<1x8x0x3xf32>
  return
}

// -----

func.func @resize_c4_input(%x: tensor<1x4x0x3xf32>) {
  // expected-error @+1 {{'mica.resize' op (C4) height and width are at least 1, but dim 2 of the input is 0}}
  %0 = mica.resize %x layout = nhwc mode = bilinear coordinates = half_pixel : (tensor<1x4x0x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @resize_c5(%x: tensor<1x4x4x3xf32>, %n: index) {
  // expected-error @+1 {{'mica.resize' op (C5) one size must be given per dynamic height and width of the result, 2, got 1}}
  %0 = mica.resize %x sizes(%n) layout = nhwc mode = bilinear coordinates = half_pixel : (tensor<1x4x4x3xf32>, index) -> tensor<1x?x?x3xf32>
  return
}
