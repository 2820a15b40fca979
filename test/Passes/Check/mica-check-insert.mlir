// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-insert))' --split-input-file | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-insert,mica-check-insert))' --split-input-file | FileCheck %s --check-prefix=TWICE

// CHECK-LABEL: func.func @a_failing_load_gives_zero
// CHECK-SAME: mica_check.inserted = 1 : i64, mica_check.level = "all", mica_check.unchecked = 0 : i64
// TWICE-LABEL: func.func @a_failing_load_gives_zero
// TWICE-COUNT-1: mica_check.out_of_bounds
// TWICE-NOT: mica_check.out_of_bounds
// TWICE: return
func.func @a_failing_load_gives_zero(%a: memref<?xf32>, %i: index) -> f32 {
  // CHECK: %[[OK:.*]] = mica_check.in_bounds %arg0[%arg1] : memref<?xf32>
  // CHECK: %[[R:.*]] = scf.if %[[OK]] -> (f32) {
  // CHECK:   %[[V:.*]] = memref.load %arg0[%arg1]
  // CHECK:   scf.yield %[[V]]
  // CHECK: } else {
  // CHECK:   mica_check.out_of_bounds load %arg0[%arg1] : memref<?xf32>
  // CHECK:   %[[ZERO:.*]] = arith.constant 0.000000e+00
  // CHECK:   scf.yield %[[ZERO]]
  // CHECK: return %[[R]]
  %0 = memref.load %a[%i] : memref<?xf32>
  return %0 : f32
}

// -----

// CHECK-LABEL: func.func @a_failing_store_is_dropped
func.func @a_failing_store_is_dropped(%a: memref<?xf32>, %i: index, %v: f32) {
  // CHECK: scf.if
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: } else {
  // CHECK-NEXT: mica_check.out_of_bounds store
  memref.store %v, %a[%i] : memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @a_vector_takes_its_lanes
func.func @a_vector_takes_its_lanes(%a: memref<4x?xf32>, %i: index) -> vector<16xf32> {
  // CHECK: mica_check.in_bounds %arg0[%arg1, %arg1] sizes(%[[ONE:.*]], %[[LANES:.*]]) :
  // CHECK: vector.load
  %0 = vector.load %a[%i, %i] : memref<4x?xf32>, vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

// A masked vector takes the lanes that are on, a transfer that may leave its buffer those that lie inside.

// CHECK-LABEL: func.func @edges_are_inside
func.func @edges_are_inside(%a: memref<?xf32>, %i: index, %n: index) -> (vector<16xf32>, vector<16xf32>) {
  %f = arith.constant 0.0 : f32
  %mask = vector.create_mask %n : vector<16xi1>
  // CHECK: %[[MOST:.*]] = arith.minsi %arg2, %{{.*}}
  // CHECK: %[[ON:.*]] = arith.maxsi %[[MOST]], %{{.*}}
  // CHECK: mica_check.in_bounds %arg0[%arg1] sizes(%[[ON]])
  %0 = vector.transfer_read %a[%i], %f, %mask {in_bounds = [true]} : memref<?xf32>, vector<16xf32>
  // CHECK: %[[EXTENT:.*]] = memref.dim %arg0
  // CHECK: %[[LEFT:.*]] = arith.subi %[[EXTENT]], %arg1
  // CHECK: %[[FITS:.*]] = arith.minsi %[[LEFT]], %{{.*}}
  // CHECK: %[[SOME:.*]] = arith.maxsi %[[FITS]], %{{.*}}
  // CHECK: mica_check.in_bounds %arg0[%arg1] sizes(%[[SOME]])
  %1 = vector.transfer_read %a[%i], %f : memref<?xf32>, vector<16xf32>
  return %0, %1 : vector<16xf32>, vector<16xf32>
}

// -----

// What is reached through a slice that lies outside is not touched.

// CHECK-LABEL: func.func @through_a_slice
// TWICE-LABEL: func.func @through_a_slice
// TWICE-COUNT-2: mica_check.out_of_bounds
// TWICE-NOT: mica_check.out_of_bounds
// TWICE: return
func.func @through_a_slice(%a: memref<?xf32>, %o: index, %n: index, %i: index) -> f32 {
  // CHECK: %[[SLICE:.*]] = mica_check.in_bounds %arg0[%arg1] sizes(%arg2)
  // CHECK: mica_check.out_of_bounds slice %arg0[%arg1] sizes(%arg2)
  // CHECK: %[[VIEW:.*]] = memref.subview
  %v = memref.subview %a[%o] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  // CHECK: %[[IN:.*]] = mica_check.in_bounds %[[VIEW]][%arg3]
  // CHECK: %[[OK:.*]] = arith.andi %[[IN]], %[[SLICE]]
  // CHECK: scf.if %[[OK]]
  %0 = memref.load %v[%i] : memref<?xf32, strided<[1], offset: ?>>
  return %0 : f32
}

// -----

// With steps, the last element counts; of no element, nothing.

// CHECK: affine_map<()[s0] -> (s0 * 3 - 2)>
// CHECK-LABEL: func.func @slice_with_steps
func.func @slice_with_steps(%a: memref<?xf32>, %o: index, %n: index) -> index {
  // CHECK: %[[SPAN:.*]] = affine.apply #{{.*}}()[%arg2]
  // CHECK: %[[SOME:.*]] = arith.cmpi sgt, %arg2
  // CHECK: %[[SIZE:.*]] = arith.select %[[SOME]], %[[SPAN]], %arg2
  // CHECK: mica_check.in_bounds %arg0[%arg1] sizes(%[[SIZE]])
  %v = memref.subview %a[%o] [%n] [3] : memref<?xf32> to memref<?xf32, strided<[3], offset: ?>>
  %c0 = arith.constant 0 : index
  %d = memref.dim %v, %c0 : memref<?xf32, strided<[3], offset: ?>>
  return %d : index
}

// -----

// A gather takes from its least to its largest offset, as far as its mask is on. Level safe checks positions from memory.

// CHECK-LABEL: func.func @gather
func.func @gather(%a: memref<64xf32>, %at: memref<8xi32>, %mask: vector<8xi1>, %pass: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %offsets = vector.load %at[%c0] : memref<8xi32>, vector<8xi32>
  // CHECK: vector.reduction <minsi>
  // CHECK: vector.reduction <maxsi>
  // CHECK: mica_check.in_bounds %arg0
  // CHECK: vector.gather
  %0 = vector.gather %a[%c0] [%offsets], %mask, %pass : memref<64xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

// CHECK-LABEL: func.func @arithmetic_and_asserts
// CHECK-SAME: mica_check.inserted = 3
func.func @arithmetic_and_asserts(%a: i32, %b: i32, %c: i1) -> (i32, i32) {
  // CHECK: mica_check.divisible signed %arg0, %arg1
  // CHECK: arith.divsi
  // CHECK: mica_check.failed "integer division by zero, or one that overflows"(%arg0, %arg1 : i32, i32)
  %0 = arith.divsi %a, %b : i32
  // CHECK: mica_check.shiftable %arg1
  // CHECK: arith.shli
  // CHECK: mica_check.failed "shift by a number of bits outside the type's width"(%arg0, %arg1 : i32, i32)
  %1 = arith.shli %a, %b : i32
  // CHECK: scf.if %arg2
  // CHECK: mica_check.failed "assertion failed: must hold"
  cf.assert %c, "must hold"
  return %0, %1 : i32, i32
}

// -----

// CHECK-LABEL: func.func @what_has_no_check_is_counted
// CHECK-SAME: mica_check.unchecked = 1
func.func @what_has_no_check_is_counted(%a: memref<?xf32>, %n: index) -> index {
  %v = memref.reinterpret_cast %a to offset: [%n], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %c0 = arith.constant 0 : index
  %d = memref.dim %v, %c0 : memref<?xf32, strided<[1], offset: ?>>
  return %d : index
}

// -----

// A mask has the dimensions in the order of the buffer's: of a transposed transfer, the second of the mask is the first of the
// vector.

// CHECK-LABEL: func.func @transposed_mask
func.func @transposed_mask(%a: memref<?x?xf32>, %i: index, %rows: index, %columns: index) -> vector<8x4xf32> {
  %f = arith.constant 0.0 : f32
  %mask = vector.create_mask %rows, %columns : vector<4x8xi1>
  // CHECK: %[[COLUMNS:.*]] = arith.minsi %arg3, %{{.*}}
  // CHECK: %[[C:.*]] = arith.maxsi %[[COLUMNS]], %{{.*}}
  // CHECK: %[[ROWS:.*]] = arith.minsi %arg2, %{{.*}}
  // CHECK: %[[R:.*]] = arith.maxsi %[[ROWS]], %{{.*}}
  // CHECK: mica_check.in_bounds %arg0[%arg1, %arg1] sizes(%[[R]], %[[C]])
  %0 = vector.transfer_read %a[%i, %i], %f, %mask {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<8x4xf32>
  return %0 : vector<8x4xf32>
}
