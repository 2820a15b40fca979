// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-prove))' --split-input-file --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @loops_say_what_they_run_over
// CHECK-NOT: mica_check.in_bounds
func.func @loops_say_what_they_run_over(%a: memref<64x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %a, %c1 : memref<64x?xf32>
  %whole = affine.apply affine_map<()[s0] -> ((s0 floordiv 16) * 16)>()[%n]
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %whole step %c16 {
      %0 = mica_check.in_bounds %a[%i, %j] sizes(%c1, %c16) : memref<64x?xf32>
      "test.use"(%0) : (i1) -> ()
    }
    scf.for %j = %whole to %n step %c1 {
      %0 = mica_check.in_bounds %a[%i, %j] : memref<64x?xf32>
      "test.use"(%0) : (i1) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @blocks_of_a_row
// CHECK-NOT: mica_check.in_bounds
func.func @blocks_of_a_row(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %blocks = affine.apply affine_map<()[s0] -> (s0 ceildiv 4096)>()[%n]
  scf.forall (%i) in (%blocks) {
    %begin = affine.apply affine_map<(d0) -> (d0 * 4096)>(%i)
    %size = affine.min affine_map<(d0)[s0] -> (4096, s0 - d0 * 4096)>(%i)[%n]
    %0 = mica_check.in_bounds %a[%begin] sizes(%size) : memref<?xf32>
    "test.use"(%0) : (i1) -> ()
  }
  return
}

// -----

// One step too far, one element too many, and a beginning below 0 stay.

// MUTATION: stays green, what is not proved stays.
// CHECK-LABEL: func.func @what_may_fail_stays
// CHECK-COUNT-4: mica_check.in_bounds
func.func @what_may_fail_stays(%a: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c65 = arith.constant 65 : index
  %minus = arith.constant -1 : index
  scf.for %i = %c0 to %c65 step %c1 {
    %0 = mica_check.in_bounds %a[%i] : memref<64xf32>
    "test.use"(%0) : (i1) -> ()
  }
  scf.for %i = %c1 to %c64 step %c16 {
    %0 = mica_check.in_bounds %a[%i] sizes(%c16) : memref<64xf32>
    "test.use"(%0) : (i1) -> ()
  }
  scf.for %i = %minus to %c64 step %c1 {
    %0 = mica_check.in_bounds %a[%i] : memref<64xf32>
    "test.use"(%0) : (i1) -> ()
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %0 = mica_check.in_bounds %a[%i] sizes(%n) : memref<64xf32>
    "test.use"(%0) : (i1) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @clamped_or_compared
// CHECK-NOT: mica_check.in_bounds
func.func @clamped_or_compared(%a: memref<64xf32>, %b: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %inside = arith.cmpi ult, %i, %c64 : index
  %j = arith.select %inside, %i, %c0 : index
  %0 = mica_check.in_bounds %a[%j] : memref<64xf32>
  "test.use"(%0) : (i1) -> ()
  %n = memref.dim %b, %c0 : memref<?xf32>
  %below = arith.cmpi ult, %i, %n : index
  scf.if %below {
    %1 = mica_check.in_bounds %b[%i] : memref<?xf32>
    "test.use"(%1) : (i1) -> ()
  }
  return
}

// -----

// A comparison with something larger, or of something else, says nothing.

// MUTATION: stays green, what is not proved stays.
// CHECK-LABEL: func.func @compared_with_something_else
// CHECK-COUNT-3: mica_check.in_bounds
func.func @compared_with_something_else(%a: memref<64xf32>, %i: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c65 = arith.constant 65 : index
  %c64 = arith.constant 64 : index
  %larger = arith.cmpi ult, %i, %c65 : index
  scf.if %larger {
    %0 = mica_check.in_bounds %a[%i] : memref<64xf32>
    "test.use"(%0) : (i1) -> ()
  }
  %other = arith.cmpi ult, %k, %c64 : index
  %j = arith.select %other, %i, %c0 : index
  %1 = mica_check.in_bounds %a[%j] : memref<64xf32>
  "test.use"(%1) : (i1) -> ()
  %right = arith.cmpi ult, %i, %c64 : index
  scf.if %right {
  } else {
    %2 = mica_check.in_bounds %a[%i] : memref<64xf32>
    "test.use"(%2) : (i1) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @remainders_and_masks
// CHECK-NOT: mica_check
// CHECK: return
func.func @remainders_and_masks(%a: memref<8xf32>, %x: i32, %i: index) {
  %c8 = arith.constant 8 : index
  %c7 = arith.constant 7 : i32
  %c1 = arith.constant 1 : i32
  %r = arith.remui %i, %c8 : index
  %0 = mica_check.in_bounds %a[%r] : memref<8xf32>
  %m = arith.andi %x, %c7 : i32
  %1 = mica_check.shiftable %m : i32
  %d = arith.ori %m, %c1 : i32
  %p = arith.addi %m, %c1 : i32
  %2 = mica_check.divisible signed %x, %p : i32
  "test.use"(%0, %1, %2) : (i1, i1, i1) -> ()
  return
}

// -----

// The part of a slice that a divided loop has: from max(0, i) on, max(end - begin, 0) of it. The remainder of a loop over its elements ends
// where the elements do.
// CHECK-LABEL: func.func @divided_slice
// CHECK-NOT: mica_check
// CHECK: return
func.func @divided_slice(%a: memref<16x8xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.forall (%i) = (0) to (16) step (5) {
    %begin = affine.max affine_map<()[s0] -> (0, s0)>()[%i]
    %end = affine.min affine_map<()[s0] -> (16, s0 + 5)>()[%i]
    %size = affine.max affine_map<()[s0, s1] -> (-s0 + s1, 0)>()[%begin, %end]
    %0 = mica_check.in_bounds %a[%begin, %c0] sizes(%size, %c8) : memref<16x8xf32>
    "test.use"(%0) : (i1) -> ()
  }
  %n = memref.dim %b, %c0 : memref<?xf32>
  %whole = affine.apply affine_map<()[s0] -> ((s0 floordiv 16) * 16)>()[%n]
  scf.for %j = %whole to %n step %c1 {
    %1 = mica_check.in_bounds %b[%j] : memref<?xf32>
    "test.use"(%1) : (i1) -> ()
  }
  return
}

// -----

// One element more than there is, by either part of the maximum, or of another buffer.
// MUTATION: stays green, what is not proved stays.
// CHECK-LABEL: func.func @divided_slice_too_long
// CHECK-COUNT-3: mica_check.in_bounds
func.func @divided_slice_too_long(%a: memref<16xf32>, %b: memref<?xf32>, %other: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) = (0) to (16) step (5) {
    %begin = affine.max affine_map<()[s0] -> (0, s0)>()[%i]
    %end = affine.min affine_map<()[s0] -> (17, s0 + 5)>()[%i]
    %size = affine.max affine_map<()[s0, s1] -> (-s0 + s1, 0)>()[%begin, %end]
    %0 = mica_check.in_bounds %a[%begin] sizes(%size) : memref<16xf32>
    %long = affine.max affine_map<()[s0] -> (-s0 + 16, 2)>()[%begin]
    %1 = mica_check.in_bounds %a[%begin] sizes(%long) : memref<16xf32>
    "test.use"(%0, %1) : (i1, i1) -> ()
  }
  %n = memref.dim %other, %c0 : memref<?xf32>
  scf.for %j = %c0 to %n step %c1 {
    %2 = mica_check.in_bounds %b[%j] : memref<?xf32>
    "test.use"(%2) : (i1) -> ()
  }
  return
}

// -----

// Runs of 4 in rows of 72: where another condition holds too, at a multiple that is cut to 32 bits and divided. At a multiple of 3, or where
// the conditions are two different ones, they may go beyond the row.
// CHECK-LABEL: func.func @runs_under_two_conditions
// CHECK-COUNT-2: mica_check.in_bounds
// CHECK-NOT:     mica_check.in_bounds
func.func @runs_under_two_conditions(%a: memref<72xf32>, %i: index, %row: i1, %other: i1) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c72 = arith.constant 72 : index
  %c72_i32 = arith.constant 72 : i32
  %at = arith.muli %i, %c4 : index
  %in = arith.cmpi ult, %at, %c72 : index
  %both = arith.andi %row, %in : i1
  %place = arith.select %in, %at, %c0 : index
  %count = arith.select %both, %c4, %c0 : index
  %0 = mica_check.in_bounds %a[%place] sizes(%count) : memref<72xf32>
  %narrow = arith.index_castui %at : index to i32
  %rest = arith.remui %narrow, %c72_i32 : i32
  %begin = arith.index_castui %rest : i32 to index
  %1 = mica_check.in_bounds %a[%begin] sizes(%c4) : memref<72xf32>
  %odd = arith.muli %i, %c3 : index
  %inOdd = arith.cmpi ult, %odd, %c72 : index
  %bothOdd = arith.andi %row, %inOdd : i1
  %oddPlace = arith.select %inOdd, %odd, %c0 : index
  %oddCount = arith.select %bothOdd, %c4, %c0 : index
  %2 = mica_check.in_bounds %a[%oddPlace] sizes(%oddCount) : memref<72xf32>
  %otherCount = arith.select %other, %c4, %c0 : index
  %3 = mica_check.in_bounds %a[%at] sizes(%otherCount) : memref<72xf32>
  "test.use"(%0, %1, %2, %3) : (i1, i1, i1, i1) -> ()
  return
}

// A divisor that a comparison replaces where it is 0 or -1: the division is defined for all operands, and stands alone again.
// CHECK-LABEL: func @chosen_divisor
func.func @chosen_divisor(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %zero = arith.constant dense<0> : vector<4xi32>
  %one = arith.constant dense<1> : vector<4xi32>
  %minus = arith.constant dense<-1> : vector<4xi32>
  %is_zero = arith.cmpi eq, %y, %zero : vector<4xi32>
  %is_minus = arith.cmpi eq, %y, %minus : vector<4xi32>
  %bad = arith.ori %is_zero, %is_minus : vector<4xi1>
  %safe = arith.select %bad, %one, %y : vector<4xi1>, vector<4xi32>
  // CHECK-NOT: scf.if
  // CHECK: arith.divsi
  %0 = mica_check.divisible signed %x, %safe : vector<4xi32>
  %1 = scf.if %0 -> (vector<4xi32>) {
    %q = arith.divsi %x, %safe : vector<4xi32>
    scf.yield %q : vector<4xi32>
  } else {
    mica_check.failed "division"
    scf.yield %zero : vector<4xi32>
  }
  // 0 alone is not enough where the quotient may overflow.
  // CHECK: mica_check.divisible signed
  // CHECK: scf.if
  %half = arith.select %is_zero, %one, %y : vector<4xi1>, vector<4xi32>
  %2 = mica_check.divisible signed %x, %half : vector<4xi32>
  %3 = scf.if %2 -> (vector<4xi32>) {
    %q = arith.divsi %x, %half : vector<4xi32>
    scf.yield %q : vector<4xi32>
  } else {
    mica_check.failed "division"
    scf.yield %zero : vector<4xi32>
  }
  return %1, %3 : vector<4xi32>, vector<4xi32>
}

// The branch that is inlined uses the predicate in both regions, and in its yield.
// CHECK-LABEL: func.func @predicate_inside
//   CHECK-NOT:   scf.if
//       CHECK:   %[[YES:.*]] = arith.constant true
//       CHECK:   return %[[YES]]
func.func @predicate_inside(%m: memref<4xf32>) -> i1 {
  %c1 = arith.constant 1 : index
  %p = mica_check.in_bounds %m[%c1] : memref<4xf32>
  %q = scf.if %p -> (i1) {
    scf.yield %p : i1
  } else {
    %r = scf.if %p -> (i1) {
      scf.yield %p : i1
    } else {
      scf.yield %p : i1
    }
    scf.yield %r : i1
  }
  return %q : i1
}

// A size in a dimension that the buffer does not have says nothing.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @beyond_the_rank
//       CHECK:   mica_check.in_bounds
func.func @beyond_the_rank(%m: memref<?xf32>) -> i1 {
  %c7 = arith.constant 7 : index
  %size = memref.dim %m, %c7 : memref<?xf32>
  %i = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%size]
  %p = mica_check.in_bounds %m[%i] : memref<?xf32>
  return %p : i1
}
