// RUN: mica-opt %s --mica-tensor-block-dynamic-folds --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @numbers(
// CHECK: mica.bitwise_xor %arg0, %arg0 : tensor<2x?xi32>
func.func @numbers(%x: tensor<2x?xi32>) -> tensor<2x?xi32> {
  %0 = arith.xori %x, %x : tensor<2x?xi32>
  return %0 : tensor<2x?xi32>
}

// CHECK-LABEL: func.func @booleans(
// CHECK: mica.logical_xor %arg0, %arg1 : tensor<?xi1>
func.func @booleans(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> {
  %0 = arith.xori %x, %y : tensor<?xi1>
  return %0 : tensor<?xi1>
}

// CHECK-LABEL: func.func @differences(
// CHECK: mica.sub
// CHECK: mica.sub
func.func @differences(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = arith.subi %x, %y : tensor<?xi32>
  %1 = arith.subi %0, %x : tensor<?xi32>
  return %1 : tensor<?xi32>
}

// A constant has any known size.
// CHECK-LABEL: func.func @known_size_folds(
// CHECK: arith.constant dense<0> : tensor<4xi32>
func.func @known_size_folds(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.xori %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @comparisons(
// CHECK: mica.compare lt %arg0, %arg1 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
// CHECK: mica.compare eq %arg0, %arg0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
// CHECK: arith.cmpi ult, %arg0, %arg1 : tensor<?xi32>
func.func @comparisons(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
  %0 = arith.cmpi slt, %x, %y : tensor<?xi32>
  %1 = arith.cmpi uge, %x, %x : tensor<?xi32>
  %2 = arith.cmpi ult, %x, %y : tensor<?xi32>
  return %0, %1, %2 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>
}

// CHECK-LABEL: func.func @size_that_the_type_does_not_say(
// CHECK: tensor.expand_shape %{{.*}} output_shape [4, 2] : tensor<8xi32> into tensor<4x2xi32>
func.func @size_that_the_type_does_not_say(%x: tensor<?xi32>) -> tensor<4x?xi32> {
  %0 = tensor.extract_slice %x[0] [8] [1] : tensor<?xi32> to tensor<8xi32>
  %1 = tensor.cast %0 : tensor<8xi32> to tensor<?xi32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [4, 2] : tensor<?xi32> into tensor<4x?xi32>
  return %2 : tensor<4x?xi32>
}

// The second dimension is dropped, not the first.
// CHECK-LABEL: func.func @slice_that_drops_a_dimension(
// CHECK: tensor.extract_slice %arg0[0, 1, 0, 0] [1, 1, 2, 2] [1, 1, 1, 1] : tensor<2x2x2x2xf32> to tensor<1x2x2xf32>
// CHECK: tensor.cast %{{.*}} : tensor<1x2x2xf32> to tensor<?x2x2xf32>
func.func @slice_that_drops_a_dimension(%x: tensor<2x2x2x2xf32>) -> tensor<?x2x2xf32> {
  %one = arith.constant 1 : index
  %0 = tensor.extract_slice %x[0, 1, 0, 0] [%one, 1, 2, 2] [1, 1, 1, 1] : tensor<2x2x2x2xf32> to tensor<?x2x2xf32>
  return %0 : tensor<?x2x2xf32>
}

// CHECK-LABEL: func.func @without_elements(
// CHECK-NOT: affine.delinearize_index
// CHECK-NOT: arith.constant dense<> : tensor<0x2xindex>
// CHECK: arith.divsi
func.func @without_elements(%x: tensor<0x2xindex>, %i: index) -> tensor<0x2xindex> {
  "affine.delinearize_index"(%i) <{static_basis = array<i64>}> : (index) -> ()
  %0 = arith.constant dense<> : tensor<0x2xindex>
  %1 = arith.divsi %x, %0 : tensor<0x2xindex>
  return %1 : tensor<0x2xindex>
}

// A step that folds to one that is not positive: the loop is erased, the assert stays.
// CHECK-LABEL: func.func @steps(
// CHECK: %[[EMPTY:.*]] = arith.cmpi sge, %arg0, %arg1 : index
// CHECK: cf.assert %[[EMPTY]], "the step of the loop is not positive: -2"
// CHECK: %[[NONE:.*]] = arith.cmpi uge, %arg2, %arg3 : i32
// CHECK: cf.assert %[[NONE]], "the step of the loop is not positive: 0"
// CHECK-NOT: cf.assert
// CHECK: scf.for
// CHECK: return
func.func @steps(%a: index, %b: index, %c: i32, %d: i32, %x: memref<8xf32>, %v: f32, %n: index) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %step = arith.subi %c3, %c5 : index
  scf.for %i = %a to %b step %step {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  %zero = arith.constant 0 : i32
  scf.for unsigned %i = %c to %d step %zero : i32 {
    memref.store %v, %x[%a] : memref<8xf32>
  }
  %up = arith.addi %c3, %c5 : index
  scf.for %i = %a to %b step %up {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  scf.for %i = %a to %b step %n {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  return
}
