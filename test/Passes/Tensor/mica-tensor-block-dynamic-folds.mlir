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

// -----

// A cast there and back would fold to %i.
// CHECK-LABEL: func.func @index_casts
// CHECK: %[[LONG:.*]] = arith.index_cast %arg0 : index to i64
// CHECK: %[[BYTE:.*]] = arith.trunci %[[LONG]] : i64 to i8
// CHECK: arith.index_cast %[[BYTE]] : i8 to index
// CHECK: %[[WIDE:.*]] = arith.trunci %arg1 : tensor<?xi128> to tensor<?xi64>
// CHECK: arith.index_castui %[[WIDE]] : tensor<?xi64> to tensor<?xindex>
func.func @index_casts(%i: index, %w: tensor<?xi128>) -> (index, tensor<?xindex>) {
  %0 = arith.index_cast %i : index to i8
  %1 = arith.index_cast %0 : i8 to index
  %2 = arith.index_castui %w : tensor<?xi128> to tensor<?xindex>
  return %1, %2 : index, tensor<?xindex>
}

// -----

// Upstream's lowerings would drop %own, and the mask of the reduction.
// CHECK-LABEL: func.func @masks
// CHECK: %[[BOTH:.*]] = arith.andi %arg2, %arg1 : vector<4xi1>
// CHECK: vector.transfer_read %arg0[%{{.*}}], %{{.*}}, %[[BOTH]]
// CHECK-NOT: vector.mask
// CHECK: arith.addi
// CHECK: arith.select %arg2
func.func @masks(%m: memref<4xi32>, %own: vector<4xi1>, %outer: vector<4xi1>, %v: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 9 : i32
  %0 = vector.mask %outer { vector.transfer_read %m[%c0], %pad, %own {in_bounds = [true]} : memref<4xi32>, vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  %1 = vector.mask %outer { vector.multi_reduction <add>, %v, %v [] : vector<4xi32> to vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  return %0, %1 : vector<4xi32>, vector<4xi32>
}

// -----

// CHECK-LABEL: func.func @wide_products
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mulsi_extended %{{.*}}, %{{.*}} : i64
// CHECK: arith.index_cast %[[LOW]] : i64 to index
// CHECK: arith.index_cast %[[HIGH]] : i64 to index
// CHECK: arith.mului_extended %{{.*}}, %{{.*}} : vector<2xi64>
func.func @wide_products(%i: index, %v: vector<2xindex>) -> (index, index, vector<2xindex>) {
  %low, %high = arith.mulsi_extended %i, %i : index
  %l, %h = arith.mului_extended %v, %v : vector<2xindex>
  return %low, %high, %h : index, index, vector<2xindex>
}

// -----

// Upstream's lowering compares 32 bits.
// CHECK-LABEL: func.func @switches
// CHECK: %[[SMALL:.*]] = arith.cmpi ult, %arg0, %c2147483648
// CHECK: %[[WIDE:.*]] = arith.cmpi eq, %arg0, %c4294967296
// CHECK: %[[OTHER:.*]] = arith.select %[[WIDE]], %c2147483646, %c2147483647
// CHECK: %[[NUMBER:.*]] = arith.select %[[SMALL]], %arg0, %[[OTHER]]
// CHECK: scf.index_switch %[[NUMBER]]
// CHECK: case 0
// CHECK: case 2147483646
func.func @switches(%i: index) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %0 = scf.index_switch %i -> i64
  case 0 {
    scf.yield %c1 : i64
  }
  case 4294967296 {
    scf.yield %c2 : i64
  }
  default {
    scf.yield %c3 : i64
  }
  return %0 : i64
}

// -----

// The mask is of the buffer's dimensions; the vector gets them, in their order.
// CHECK-LABEL: func.func @masked_transfers
// CHECK: %[[ROWS:.*]] = vector.transpose %arg1, [1, 0] : vector<4x2xi8> to vector<2x4xi8>
// CHECK-DAG: %[[WIDE:.*]] = vector.shape_cast %[[ROWS]] : vector<2x4xi8> to vector<2x1x4xi8>
// CHECK-DAG: %[[MASK:.*]] = vector.shape_cast %arg2 : vector<2x4xi1> to vector<2x1x4xi1>
// CHECK: vector.transfer_write %[[WIDE]], %arg0{{.*}}, %[[MASK]] {{.*}} : vector<2x1x4xi8>, memref<1x3x4xi8>
// CHECK: %[[READ:.*]] = vector.transfer_read %arg0{{.*}} : memref<1x3x4xi8>, vector<4xi8>
// CHECK: vector.broadcast %[[READ]] : vector<4xi8> to vector<2x4xi8>
// CHECK: vector.transpose %{{.*}}, [1, 0] : vector<2x4xi8> to vector<4x2xi8>
func.func @masked_transfers(%y: memref<1x3x4xi8>, %v: vector<4x2xi8>, %m: vector<2x4xi1>, %row: vector<4xi1>) -> vector<4x2xi8> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 9 : i8
  vector.transfer_write %v, %y[%c0, %c0, %c0], %m {permutation_map = affine_map<(d0, d1, d2) -> (d2, d0)>} : vector<4x2xi8>, memref<1x3x4xi8>
  %0 = vector.transfer_read %y[%c0, %c0, %c0], %pad, %row {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, 0)>} : memref<1x3x4xi8>, vector<4x2xi8>
  return %0 : vector<4x2xi8>
}

// -----

// Both constants and the flags of both would be merged.
// CHECK-LABEL: func.func @flags
// CHECK: arith.constant 56 : i8
// CHECK: arith.addi %arg0, %{{.*}} : i8
// CHECK: arith.subi %arg1, %arg2 : vector<2xi8>
func.func @flags(%x: i8, %v: vector<2xi8>, %w: vector<2xi8>) -> (i8, vector<2xi8>) {
  %c = arith.constant -100 : i8
  %0 = arith.addi %x, %c overflow<nsw> : i8
  %1 = arith.addi %0, %c overflow<nsw> : i8
  %2 = arith.subi %v, %w overflow<nsw, nuw> : vector<2xi8>
  return %1, %2 : i8, vector<2xi8>
}

// -----

// The comparison would be one of %x and 2.
// CHECK-LABEL: func.func @difference
// CHECK: arith.{{subi|addi}} %arg0
// CHECK: index.cmp ule
func.func @difference(%x: index) -> i1 {
  %c2 = index.constant 2
  %c0 = index.constant 0
  %d = index.sub %x, %c2
  %r = index.cmp ule(%d, %c0)
  return %r : i1
}

// -----

// Folds, by 2, of the least number to a positive one.
// CHECK-LABEL: func.func @ceiling
// CHECK: arith.ceildivsi
func.func @ceiling(%x: index) -> index {
  %c2 = index.constant 2
  %r = index.ceildivs %x, %c2
  return %r : index
}

// -----

// The variable would wrap in 8 bits, and the bounds be compared as signed numbers.
// CHECK-LABEL: func.func @unsigned
// CHECK: %[[UPPER:.*]] = arith.extui %arg0 : i8 to i64
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[UPPER]] step %{{.*}} : i64
// CHECK: arith.trunci %[[I]] : i64 to i8
func.func @unsigned(%n: i8, %m: memref<?xi8>) {
  %c0 = arith.constant 0 : i8
  %c100 = arith.constant 100 : i8
  scf.for unsigned %i = %c0 to %n step %c100 : i8 {
    %k = arith.index_castui %i : i8 to index
    memref.store %i, %m[%k] : memref<?xi8>
  }
  return
}

// -----

// A step of 1 does not wrap.
// CHECK-LABEL: func.func @by_one
// CHECK: scf.for %{{.*}} = %{{.*}} to %arg0 step %{{.*}} : i8
func.func @by_one(%n: i8, %m: memref<?xi8>) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  scf.for %i = %c0 to %n step %c1 : i8 {
    %k = arith.index_castui %i : i8 to index
    memref.store %i, %m[%k] : memref<?xi8>
  }
  return
}

// -----

// If %m folds to 1, the first dimension would be dropped instead of the last.
// CHECK-LABEL: func.func @reduced
// CHECK: tensor.extract_slice %arg0[0, 0, 0] [%arg1, %arg2, 1] [1, 1, 1] : tensor<4x5x6xf32> to tensor<?x?x1xf32>
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32>
// CHECK: tensor.expand_shape %arg3 {{\[\[}}0], [1, 2]] output_shape [%arg1, %arg2, 1] : tensor<?x?xf32> into tensor<?x?x1xf32>
// CHECK: tensor.insert_slice
func.func @reduced(%x: tensor<4x5x6xf32>, %m: index, %n: index, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<4x5x6xf32>) {
  %0 = tensor.extract_slice %x[0, 0, 0] [%m, %n, 1] [1, 1, 1] : tensor<4x5x6xf32> to tensor<?x?xf32>
  %1 = tensor.insert_slice %y into %x[0, 0, 1] [%m, %n, 1] [1, 1, 1] : tensor<?x?xf32> into tensor<4x5x6xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<4x5x6xf32>
}

// -----

// Rows are repeated. One broadcast from 2x1 to 2x3 would repeat the elements of each row.
// CHECK-LABEL: func.func private @rows
// CHECK: %[[FLAT:.*]] = vector.shape_cast %arg0 : vector<2x1xf32> to vector<2xf32>
// CHECK: vector.shuffle %[[FLAT]], %[[FLAT]] [0, 1, 0, 1, 0, 1] : vector<2xf32>, vector<2xf32>
// CHECK: vector.shape_cast %{{.*}} : vector<6xf32> to vector<2x3xf32>
func.func private @rows(%x: vector<2x1xf32>) -> vector<2x3xf32> {
  %0 = vector.broadcast %x : vector<2x1xf32> to vector<3x2x1xf32>
  %1 = vector.shape_cast %0 : vector<3x2x1xf32> to vector<2x3xf32>
  return %1 : vector<2x3xf32>
}

// -----

// One broadcast gives the same.
// CHECK-LABEL: func.func private @same_rows
// CHECK: vector.broadcast %arg0 : vector<1x4xf32> to vector<3x4xf32>
func.func private @same_rows(%x: vector<1x4xf32>) -> vector<3x4xf32> {
  %0 = vector.broadcast %x : vector<1x4xf32> to vector<3x1x4xf32>
  %1 = vector.shape_cast %0 : vector<3x1x4xf32> to vector<3x4xf32>
  return %1 : vector<3x4xf32>
}

// -----

// Loops that may pass the greatest number: a step as large as the loop at most, where the variable is a position; else
// over smaller numbers. Loops to sizes stay, and so do positions by a constant step.
// CHECK-LABEL: func.func @near_the_greatest(
// CHECK: %[[WHOLE:.*]] = arith.subi %arg1, %arg0 : index
// CHECK: %[[LEAST:.*]] = arith.minui %arg2, %[[WHOLE]] : index
// CHECK: %[[STEP:.*]] = arith.select %{{.*}}, %[[LEAST]], %arg2 : index
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step %[[STEP]]
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step %c4
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %arg2
// CHECK: %[[ABOVE:.*]] = arith.minsi %arg1, %{{.*}} : index
// CHECK: %[[BY:.*]] = arith.minui
// CHECK: %[[FROM:.*]] = arith.subi %arg0, %[[BY]] : index
// CHECK: %[[TO:.*]] = arith.subi %arg1, %[[BY]] : index
// CHECK: scf.for %[[J:.*]] = %[[FROM]] to %[[TO]] step %c4
// CHECK:   arith.addi %[[J]], %[[BY]] : index
func.func @near_the_greatest(%a: index, %b: index, %n: index, %x: memref<?xf32>, %v: f32) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %a to %b step %n {
    memref.store %v, %x[%i] : memref<?xf32>
  }
  scf.for %i = %a to %b step %c4 {
    memref.store %v, %x[%i] : memref<?xf32>
  }
  %size = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %size step %n {
    memref.store %v, %x[%c0] : memref<?xf32>
  }
  %r = scf.for %i = %a to %b step %c4 iter_args(%s = %c0) -> (index) {
    scf.yield %i : index
  }
  return %r : index
}

// Of two zeros, upstream's fold gives NaN.
// CHECK-LABEL: func.func @arctangent(
// CHECK-SAME:    %[[Y:.*]]: f32, %[[X:.*]]: f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK-DAG:     %[[YS:.*]] = arith.cmpf oeq, %[[Y]], %[[ZERO]]
// CHECK-DAG:     %[[XS:.*]] = arith.cmpf oeq, %[[X]], %[[ZERO]]
// CHECK-DAG:     %[[BOTH:.*]] = arith.andi %[[YS]], %[[XS]] : i1
// CHECK-DAG:     %[[UNIT:.*]] = math.copysign %[[ONE]], %[[X]] : f32
// CHECK:         %[[OTHER:.*]] = arith.select %[[BOTH]], %[[UNIT]], %[[X]] : f32
// CHECK:         math.atan2 %[[Y]], %[[OTHER]] : f32
func.func @arctangent(%y: f32, %x: f32) -> f32 {
  %0 = math.atan2 %y, %x : f32
  return %0 : f32
}
