// RUN: mica-opt %s -canonicalize | FileCheck %s
// RUN: mica-opt %s -canonicalize -mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

//===----------------------------------------------------------------------===//
// Neutral operands
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @neutral_integers_vanish(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
func.func @neutral_integers_vanish(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %zero = mica.constant dense<0> : tensor<4xi32>
  %one = mica.constant dense<1> : tensor<1xi32>
  %0 = mica.add %zero, %x : tensor<4xi32>
  %1 = mica.sub %x, %zero : tensor<4xi32>
  %2 = mica.mul %x, %one : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %3 = mica.div %x, %one : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @neutral_floats_vanish(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
func.func @neutral_floats_vanish(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %minus_zero = mica.constant dense<-0.0> : tensor<1xf32>
  %zero = mica.constant dense<0.0> : tensor<1xf32>
  %one = mica.constant dense<1.0> : tensor<1xf32>
  %0 = mica.add %x, %minus_zero : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %1 = mica.sub %x, %zero : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %2 = mica.mul %x, %one : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %3 = mica.div %x, %one : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// x + 0 is 0 where x is -0.
// CHECK-LABEL: func.func @zero_is_not_neutral_for_float_sums(
// CHECK: mica.add
// CHECK: mica.sub
func.func @zero_is_not_neutral_for_float_sums(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %minus_zero = mica.constant dense<-0.0> : tensor<4xf32>
  %zero = mica.constant dense<0.0> : tensor<4xf32>
  %0 = mica.add %x, %zero : tensor<4xf32>
  %1 = mica.sub %x, %minus_zero : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @neutral_operand_that_repeats_the_other_stays(
// CHECK: mica.mul
func.func @neutral_operand_that_repeats_the_other_stays(%x: tensor<1xf32>) -> tensor<4xf32> {
  %one = mica.constant dense<1.0> : tensor<4xf32>
  %0 = mica.mul %x, %one : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @doing_twice_is_doing_once(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[R:.*]] = mica.relu %[[X]]
// CHECK-NEXT: return %[[X]], %[[R]], %[[X]], %[[X]]
func.func @doing_twice_is_doing_once(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = mica.neg %x : tensor<4xf32>
  %1 = mica.neg %0 : tensor<4xf32>
  %2 = mica.relu %x : tensor<4xf32>
  %3 = mica.relu %2 : tensor<4xf32>
  %4 = mica.max %x, %x : tensor<4xf32>
  %5 = mica.min %x, %x : tensor<4xf32>
  return %1, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @small_constants_fold_with_broadcast()
// CHECK-NEXT: %[[R:.*]] = mica.constant dense<{{\[\[}}11, 21, 31], [12, 22, 32]]> : tensor<2x3xi32>
// CHECK-NEXT: return %[[R]]
func.func @small_constants_fold_with_broadcast() -> tensor<2x3xi32> {
  %a = mica.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = mica.constant dense<[[10, 20, 30]]> : tensor<1x3xi32>
  %0 = mica.add %a, %b : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @integer_division_never_traps()
// CHECK-NEXT: %[[R:.*]] = mica.constant dense<[0, -2147483648, -3, 3]> : tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @integer_division_never_traps() -> tensor<4xi32> {
  %a = mica.constant dense<[7, -2147483648, 7, -7]> : tensor<4xi32>
  %b = mica.constant dense<[0, -1, -2, -2]> : tensor<4xi32>
  %0 = mica.div %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @floats_fold_as_ieee()
// CHECK-DAG: %[[MAX:.*]] = mica.constant dense<[0x7FC00000, 0.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[DIV:.*]] = mica.constant dense<[0x7FC00000, 0xFF800000]> : tensor<2xf32>
// CHECK: return %[[MAX]], %[[DIV]], %[[MAX]]
func.func @floats_fold_as_ieee() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = mica.constant dense<[0x7FC00000, -0.0]> : tensor<2xf32>
  %b = mica.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %c = mica.constant dense<[0x7FC00000, -1.0]> : tensor<2xf32>
  %0 = mica.max %a, %b : tensor<2xf32>
  %1 = mica.div %c, %b : tensor<2xf32>
  %2 = mica.relu %a : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @flags_fold_as_logic()
// CHECK-DAG: %[[OR:.*]] = mica.constant dense<[true, true, true, false]> : tensor<4xi1>
// CHECK-DAG: %[[AND:.*]] = mica.constant dense<[true, false, false, false]> : tensor<4xi1>
// CHECK: return %[[OR]], %[[AND]], %[[AND]]
func.func @flags_fold_as_logic() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %a = mica.constant dense<[true, true, false, false]> : tensor<4xi1>
  %b = mica.constant dense<[true, false, true, false]> : tensor<4xi1>
  %0 = mica.max %a, %b : tensor<4xi1>
  %1 = mica.min %a, %b : tensor<4xi1>
  %2 = mica.mul %a, %b : tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// A fold that would make the program larger is left: only splats fold at any size.
// CHECK-LABEL: func.func @large_constants_stay(
// CHECK: %[[SPLAT:.*]] = mica.constant dense<5.000000e-01> : tensor<1024xf32>
// CHECK: %[[SUB:.*]] = mica.sub
// CHECK: return %[[SUB]], %[[SPLAT]]
func.func @large_constants_stay() -> (tensor<8x16xf32>, tensor<1024xf32>) {
  %a = mica.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]> : tensor<8x1xf32>
  %b = mica.constant dense<3.0> : tensor<1x16xf32>
  %0 = mica.sub %a, %b : (tensor<8x1xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
  %c = mica.constant dense<0.25> : tensor<1024xf32>
  %1 = mica.add %c, %c : tensor<1024xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<1024xf32>
}

// CHECK-LABEL: func.func @constants_are_reshaped(
// CHECK-DAG: mica.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-DAG: mica.constant dense_resource<weights> : tensor<2x1xi32>
// CHECK-DAG: mica.constant dense<7> : tensor<3x2xi32>
// CHECK-DAG: mica.constant dense<7> : tensor<4x3xi32>
// CHECK-NOT: mica.{{[a-bd-z]}}
func.func @constants_are_reshaped() -> (tensor<2x2xi32>, tensor<2x1xi32>, tensor<3x2xi32>, tensor<4x3xi32>) {
  %a = mica.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = mica.reshape %a : (tensor<4xi32>) -> tensor<2x2xi32>
  %b = mica.constant dense_resource<weights> : tensor<2xi32>
  %1 = mica.reshape %b : (tensor<2xi32>) -> tensor<2x1xi32>
  %c = mica.constant dense<7> : tensor<2x3xi32>
  %2 = mica.transpose %c permutation = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %d = mica.constant dense<7> : tensor<3xi32>
  %3 = mica.broadcast %d : (tensor<3xi32>) -> tensor<4x3xi32>
  return %0, %1, %2, %3 : tensor<2x2xi32>, tensor<2x1xi32>, tensor<3x2xi32>, tensor<4x3xi32>
}

//===----------------------------------------------------------------------===//
// Movement; an op made of several carries the locations of all of them
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @moves_of_nothing_vanish(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]]
func.func @moves_of_nothing_vanish(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = mica.transpose %x permutation = [0, 1] : tensor<2x3xf32>
  %1 = mica.reshape %x : tensor<2x3xf32>
  %2 = mica.broadcast %x : tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @transpose_of_transpose(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NEXT: %[[R:.*]] = mica.transpose %[[X]] permutation = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT: return %[[R]]
// LOC-LABEL: func.func @transpose_of_transpose(
// LOC: mica.transpose {{.*}} loc([[BOTH:#loc[0-9]*]])
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %0 = mica.transpose %x permutation = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32> loc("first")
  %1 = mica.transpose %0 permutation = [1, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32> loc("second")
  return %1 : tensor<4x3x2xf32>
}

// CHECK-LABEL: func.func @reshape_of_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK-NEXT: %[[R:.*]] = mica.reshape %[[X]] : (tensor<?x4xf32>) -> tensor<2x?xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape_of_reshape(%x: tensor<?x4xf32>) -> tensor<2x?xf32> {
  %0 = mica.reshape %x : (tensor<?x4xf32>) -> tensor<?xf32>
  %1 = mica.reshape %0 : (tensor<?xf32>) -> tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @matmul_absorbs_transposes(
// CHECK-SAME: %[[A:.*]]: tensor<5x8x4xf32>, %[[B:.*]]: tensor<8x2xf32>
// CHECK-NEXT: %[[R:.*]] = mica.matmul %[[A]], %[[B]] transpose_a : (tensor<5x8x4xf32>, tensor<8x2xf32>) -> tensor<5x4x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @matmul_absorbs_transposes(%a: tensor<5x8x4xf32>, %b: tensor<8x2xf32>) -> tensor<5x4x2xf32> {
  %0 = mica.transpose %a permutation = [0, 2, 1] : (tensor<5x8x4xf32>) -> tensor<5x4x8xf32>
  %1 = mica.transpose %b permutation = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %2 = mica.matmul %0, %1 transpose_b : (tensor<5x4x8xf32>, tensor<2x8xf32>) -> tensor<5x4x2xf32>
  return %2 : tensor<5x4x2xf32>
}

// CHECK-LABEL: func.func @matmul_keeps_transposes_of_batches(
// CHECK: mica.transpose
// CHECK: mica.matmul {{.*}}, {{.*}} : (tensor<5x4x8xf32>
func.func @matmul_keeps_transposes_of_batches(%a: tensor<4x5x8xf32>, %b: tensor<8x2xf32>) -> tensor<5x4x2xf32> {
  %0 = mica.transpose %a permutation = [1, 0, 2] : (tensor<4x5x8xf32>) -> tensor<5x4x8xf32>
  %1 = mica.matmul %0, %b : (tensor<5x4x8xf32>, tensor<8x2xf32>) -> tensor<5x4x2xf32>
  return %1 : tensor<5x4x2xf32>
}

// LOC-DAG: [[FIRST:#loc[0-9]*]] = loc("first")
// LOC-DAG: [[SECOND:#loc[0-9]*]] = loc("second")
// LOC-DAG: [[BOTH]] = loc(fused[[[SECOND]], [[FIRST]]])

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000700000009000000"
    }
  }
#-}
