// RUN: mica-opt %s -convert-mica-to-linalg -split-input-file | FileCheck %s

// Narrow floats are computed in f32 and rounded once.
// CHECK-LABEL: func.func @narrow_floats_take_f32(
// CHECK: ^bb0(%[[X:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK-NOT: arith.truncf
// CHECK: %[[E:.*]] = math.exp
// CHECK-NOT: arith.truncf
// CHECK: %[[D:.*]] = arith.divf
// CHECK-NEXT: %[[T:.*]] = arith.truncf %[[D]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[T]]
func.func @narrow_floats_take_f32(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = mica.sigmoid %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// NaN is unordered: different from everything, itself included, and below nothing.
// CHECK-LABEL: func.func @comparisons(
// CHECK: arith.cmpf une
// CHECK: arith.cmpf olt
// CHECK: arith.cmpi slt
// CHECK: arith.cmpi ult
func.func @comparisons(%f: tensor<4xf32>, %i: tensor<4xi8>, %b: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = mica.compare ne %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = mica.compare lt %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = mica.compare lt %i, %i : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
  %3 = mica.compare lt %b, %b : tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

// An amount that is too large never reaches the shift.
// CHECK-LABEL: func.func @shift(
// CHECK: ^bb0(%[[X:.*]]: i8, %[[N:.*]]: i8, %{{.*}}: i8):
// CHECK-DAG: %[[BITS:.*]] = arith.constant 8 : i8
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[N]], %[[BITS]]
// CHECK: %[[SAFE:.*]] = arith.select %[[INSIDE]], %[[N]], %[[ZERO]]
// CHECK: %[[S:.*]] = arith.shli %[[X]], %[[SAFE]]
// CHECK: arith.select %[[INSIDE]], %[[S]], %[[ZERO]]
func.func @shift(%x: tensor<4xi8>, %n: tensor<4xi8>) -> tensor<4xi8> {
  %0 = mica.shift_left %x, %n : tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// NaN becomes 0, and the bounds are numbers that the float type has.
// CHECK-LABEL: func.func @saturating_cast(
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: i8):
// CHECK-NEXT: %[[R:.*]] = math.roundeven %[[X]]
// CHECK: %[[N:.*]] = arith.cmpf ord, %[[R]], %[[R]]
// CHECK: %[[V:.*]] = arith.select %[[N]], %[[R]]
// CHECK-DAG: arith.constant -1.280000e+02 : f32
// CHECK-DAG: arith.constant 1.270000e+02 : f32
// CHECK: arith.maximumf
// CHECK: %[[C:.*]] = arith.minimumf
// CHECK: %[[I:.*]] = arith.fptosi %[[C]] : f32 to i32
// CHECK: arith.trunci %[[I]] : i32 to i8
func.func @saturating_cast(%x: tensor<4xf32>) -> tensor<4xi8> {
  %0 = mica.cast %x rounding = nearest_even : tensor<4xf32> to tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// Two roundings: the first is to odd, so that the second one sees no tie where there is none.
// CHECK-LABEL: func.func @rounding_once(
// CHECK: ^bb0(%[[X:.*]]: f64, %{{.*}}: f16):
// CHECK-NEXT: %[[NEAREST:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK-NEXT: %[[BACK:.*]] = arith.extf %[[NEAREST]] : f32 to f64
// CHECK: %[[INEXACT:.*]] = arith.cmpf une, %[[BACK]], %[[X]]
// CHECK: %[[ODD:.*]] = arith.ori
// CHECK: %[[BITS:.*]] = arith.select %[[INEXACT]], %[[ODD]]
// CHECK: %[[F:.*]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK: arith.truncf %[[F]] : f32 to f16
func.func @rounding_once(%x: tensor<4xf64>) -> tensor<4xf16> {
  %0 = mica.cast %x : tensor<4xf64> to tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[AXIS:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @quantize(
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[AXIS]], #[[AXIS]], #[[ID]]]
// CHECK: arith.divf
// CHECK: math.roundeven
// CHECK: arith.sitofp %{{.*}} : i8 to f32
// CHECK: arith.addf
func.func @quantize(%x: tensor<?x8xf32>, %s: tensor<8xf32>, %z: tensor<8xi8>) -> tensor<?x8xi8> {
  %0 = mica.quantize %x scale %s : tensor<8xf32> zero_point %z : tensor<8xi8> axis = 1 : tensor<?x8xf32> to tensor<?x8xi8>
  return %0 : tensor<?x8xi8>
}

// -----

// CHECK-LABEL: func.func @positions(
// CHECK-SAME: %[[N:.*]]: index
// CHECK: tensor.empty(%[[N]]) : tensor<?x8xf32>
// CHECK: linalg.index 1
// CHECK: arith.sitofp %{{.*}} : i64 to f32
func.func @positions(%n: index) -> tensor<?x8xf32> {
  %0 = mica.iota axis = 1 sizes(%n) : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
