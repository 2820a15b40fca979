// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-insert{level=divisions}),builtin.module(func.func(mica-check-insert{level=divisions})))' | FileCheck %s
// The level that every program is compiled with: in kernels divisions by what data may make 0, and accesses at positions
// from data; in host functions every access.

module @m_elements attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @elements(
  // CHECK-SAME: mica_check.inserted = 4 : i64, mica_check.level = "divisions"
  func.func @elements(%a: memref<8xi32>, %b: memref<8xi32>, %k: index, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %j = %c0 to %n step %c1 {
    %i = arith.addi %j, %k : index
    // CHECK: %[[I:.*]] = arith.addi %{{.*}}, %arg2
    // CHECK: mica_check.in_bounds %arg0[%[[I]]]
    // CHECK: %[[X:.*]] = scf.if
    // CHECK: mica_check.in_bounds %arg1[%[[I]]]
    // CHECK: %[[Y:.*]] = scf.if
    // CHECK: %[[OK:.*]] = mica_check.divisible signed %[[X]], %[[Y]] : i32
    // CHECK: scf.if %[[OK]] -> (i32)
    // CHECK: mica_check.failed "{{.*}}"(%[[X]], %[[Y]] : i32, i32)
    %x = memref.load %a[%i] : memref<8xi32>
    %y = memref.load %b[%i] : memref<8xi32>
    %0 = arith.divsi %x, %y : i32
    memref.store %0, %a[%i] : memref<8xi32>
    }
    return
  }
}

module @m_once attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @once(
  // CHECK-SAME: mica_check.inserted = 2 : i64, mica_check.level = "divisions"
  func.func @once(%a: memref<8xindex>, %b: memref<8xf32>, %i: index, %x: f32) {
    // CHECK: mica_check.in_bounds %arg0[%arg2]
    // CHECK: %[[AT:.*]] = scf.if
    %at = memref.load %a[%i] : memref<8xindex>
    // CHECK: mica_check.in_bounds %arg1[%[[AT]]]
    // CHECK: memref.store
    memref.store %x, %b[%at] : memref<8xf32>
    return
  }
}

// A position that is no data, and a kernel without any, which stays as it is.
module @m_first attributes {mica_sched.kernel} {
  // MUTATION: stays green, the pass leaves it.
  // CHECK-LABEL: func @first(
  // CHECK-NOT: mica_check
  // CHECK: return
  func.func @first(%a: memref<8xf32>, %x: f32) {
    %c3 = arith.constant 3 : index
    memref.store %x, %a[%c3] : memref<8xf32>
    return
  }
}

// Of a vector, the report has the operands of the first lane that fails.
module @m_lanes attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @lanes(
  func.func @lanes(%x: vector<2x4xi8>, %y: vector<2x4xi8>) -> vector<2x4xi8> {
    // CHECK: %[[OK:.*]] = mica_check.divisible %arg0, %arg1 : vector<2x4xi8>
    // CHECK: scf.if %[[OK]]
    // CHECK: else
    // CHECK: vector.shape_cast %arg1 : vector<2x4xi8> to vector<8xi8>
    // CHECK: %[[FIRST:.*]]:2 = scf.for
    // CHECK: %[[X:.*]] = arith.extui %[[FIRST]]#0 : i8 to i64
    // CHECK: %[[Y:.*]] = arith.extui %[[FIRST]]#1 : i8 to i64
    // CHECK: mica_check.failed "integer division by zero"(%[[X]], %[[Y]] : i64, i64)
    %0 = arith.remui %x, %y : vector<2x4xi8>
    return %0 : vector<2x4xi8>
  }
}

// In a host function every divisor is data.
// CHECK-LABEL: func @indices(
// CHECK-SAME: mica_check.inserted = 3 : i64
func.func @indices(%n: index, %tile: index, %b: memref<8xindex>) -> (index, index) {
  // CHECK: mica_check.divisible signed %arg0, %arg1 : index
  // CHECK: mica_check.in_bounds %arg2[%arg0]
  // CHECK: mica_check.divisible
  %0 = arith.ceildivsi %n, %tile : index
  %1 = memref.load %b[%n] : memref<8xindex>
  %2 = arith.remsi %n, %1 : index
  return %0, %2 : index, index
}

// In a kernel, sizes divide by what is known not to be 0; an argument of the program and a counted position are data.
module @kernel attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @kernel(
  // CHECK-SAME: mica_check.inserted = 2 : i64
  func.func @kernel(%x: memref<?xindex>, %given: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %x, %c0 : memref<?xindex>
    // CHECK-NOT: divisible
    // CHECK: arith.ceildivsi
    %tiles = arith.ceildivsi %n, %n : index
    scf.for %i = %c0 to %tiles step %c1 {
      // CHECK: mica_check.divisible signed %[[I:.*]], %arg1 : index
      %0 = arith.divsi %i, %given : index
      // CHECK: mica_check.divisible signed %{{.*}}, %[[I]] : index
      %1 = arith.remsi %0, %i : index
      memref.store %1, %x[%i] : memref<?xindex>
    }
    return
  }
}

// Divisions that affine maps and the index dialect hide are exposed.
// CHECK-LABEL: func @hidden(
// CHECK-SAME: mica_check.inserted = 4 : i64
func.func @hidden(%n: index, %x: memref<8xf32>) -> (index, index, f32) {
  // CHECK: mica_check.divisible
  // CHECK: arith.divui
  %0 = index.divu %n, %n
  // CHECK: mica_check.divisible
  // CHECK: arith.minsi
  %1 = affine.min affine_map<()[s0] -> (7 floordiv s0, 5)>()[%n]
  // CHECK: mica_check.divisible
  // CHECK: mica_check.in_bounds
  // CHECK-NOT: affine
  %2 = affine.load %x[7 mod symbol(%n)] : memref<8xf32>
  return %0, %1, %2 : index, index, f32
}

// A loop whose step may be 0 or negative would not end: it is reported, and runs no iteration.
// CHECK-LABEL: func @steps(
// CHECK-SAME: mica_check.inserted = 3 : i64
func.func @steps(%x: f32, %n: index, %s: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %arg2, %c0
  // CHECK: %[[EMPTY:.*]] = arith.cmpi sle, %arg1, %c0
  // CHECK: %[[OK:.*]] = arith.ori %[[POSITIVE]], %[[EMPTY]]
  // CHECK: %[[END:.*]] = arith.select %[[OK]], %arg1, %c0
  // CHECK: scf.if %[[OK]] {
  // CHECK: } else {
  // CHECK: mica_check.failed "the step of the loop is not positive{{.*}}"(%c0, %arg1, %arg2 : index, index, index)
  // CHECK: scf.for %{{.*}} = %c0 to %[[END]] step %arg2
  %0 = scf.for %i = %c0 to %n step %s iter_args(%a = %x) -> f32 {
    %t = arith.addf %a, %a : f32
    scf.yield %t : f32
  }
  // Compared as unsigned numbers, only 0 is wrong.
  // CHECK: arith.cmpi ne, %arg2, %c0
  // CHECK: arith.cmpi ule, %arg1, %c0
  %1 = scf.for unsigned %i = %c0 to %n step %s iter_args(%a = %x) -> f32 {
    %t = arith.addf %a, %0 : f32
    scf.yield %t : f32
  }
  // Of the dimensions, one has a step that is a constant.
  // CHECK: mica_check.failed "the step of the loop is not positive{{.*}}"(%c0, %arg1, %arg2 : index, index, index)
  // CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0) to (%arg1, %{{.*}}) step (%c4, %arg2)
  %2 = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c4, %s) init (%c0) -> index {
    scf.reduce(%j : index) {
    ^bb0(%a: index, %b: index):
      %t = arith.addi %a, %b : index
      scf.reduce.return %t : index
    }
  }
  return %1, %2 : f32, index
}
// MUTATION: stays green, there is nothing to check.
// CHECK-LABEL: func @step_of_at_least_one(
// CHECK-NOT: mica_check
// CHECK: scf.for
func.func @step_of_at_least_one(%x: f32, %n: index, %s: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.maxsi %s, %c1 : index
  %0 = scf.for %i = %c0 to %n step %step iter_args(%a = %x) -> f32 {
    %t = arith.addf %a, %a : f32
    scf.yield %t : f32
  }
  return %0 : f32
}

// In a kernel, the steps of tiles are computed from sizes; an argument of the program is data.
module @m_steps attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @tiles(
  // CHECK-SAME: mica_check.inserted = 2 : i64
  func.func @tiles(%x: memref<?xf32>, %given: index) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %n = memref.dim %x, %c0 : memref<?xf32>
    // CHECK-NOT: mica_check.failed
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %n {
      // CHECK: mica_check.failed "the step of the loop
      scf.for %j = %i to %n step %given {
        // CHECK: mica_check.in_bounds
        memref.store %one, %x[%j] : memref<?xf32>
      }
    }
    return
  }
}

// Positions through arithmetic, carried values, affine maps, masks, offsets and slices. A sum of loaded values does not make
// the positions of its loop data.
module @m_positions attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @positions(
  // CHECK-SAME: mica_check.inserted = 8 : i64
  func.func @positions(%a: memref<8xf32>, %b: memref<8xf32>, %p: memref<8xi8>, %m: memref<8xi1>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    // CHECK: memref.load %arg2[%c3] : memref<8xi8>
    %first = memref.load %p[%c3] : memref<8xi8>
    %at = arith.index_cast %first : i8 to index
    // CHECK-NOT: in_bounds
    // CHECK: scf.for
    // CHECK: memref.load %arg0
    // CHECK: arith.addf
    %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> f32 {
      %x = memref.load %a[%i] : memref<8xf32>
      %t = arith.addf %s, %x : f32
      scf.yield %t : f32
    }
    // CHECK: scf.for %{{.*}} iter_args(%[[CARRIED:.*]] = %c0) -> (index)
    // CHECK: mica_check.in_bounds %arg1[%[[CARRIED]]]
    %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%k = %c0) -> index {
      memref.store %sum, %b[%k] : memref<8xf32>
      %next = memref.load %p[%i] : memref<8xi8>
      %cast = arith.index_cast %next : i8 to index
      scf.yield %cast : index
    }
    // CHECK: mica_check.out_of_bounds slice
    // CHECK: %[[SLICE:.*]] = memref.subview
    // CHECK: scf.for
    // CHECK: mica_check.in_bounds %[[SLICE]]
    %slice = memref.subview %a[%last] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    scf.for %i = %c0 to %c8 step %c8 {
      memref.store %sum, %slice[%i] : memref<2xf32, strided<[1], offset: ?>>
    }
    // CHECK: mica_check.in_bounds %arg0
    // CHECK: memref.load
    // CHECK: mica_check.in_bounds %arg1
    // CHECK: memref.store
    affine.for %i = 0 to 4 {
      %x = affine.load %a[%i + symbol(%at)] : memref<8xf32>
      affine.store %x, %b[%i * 2 + symbol(%at)] : memref<8xf32>
    }
    // CHECK: mica_check.in_bounds %arg0[{{.*}}] sizes
    // CHECK: vector.maskedload
    %mask = vector.load %m[%c0] : memref<8xi1>, vector<4xi1>
    %other = arith.constant dense<0.0> : vector<4xf32>
    %masked = vector.maskedload %a[%c3], %mask, %other : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    // CHECK: mica_check.in_bounds %arg0[{{.*}}] sizes
    // CHECK: vector.gather
    %offsets = vector.load %p[%c0] : memref<8xi8>, vector<4xi8>
    %all = arith.constant dense<true> : vector<4xi1>
    %gathered = vector.gather %a[%c0] [%offsets], %all, %masked : memref<8xf32>, vector<4xi8>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[AT:.*]], %c4{{.*}} : index
    // CHECK: scf.if %[[INSIDE]]
    // CHECK: vector.extract %{{.*}}[%[[AT]]]
    // CHECK: mica_check.failed "a position outside of the vector"(%[[AT]] : index)
    %lane = vector.extract %gathered[%at] : f32 from vector<4xf32>
    memref.store %lane, %b[%c0] : memref<8xf32>
    return
  }
}

// A shift by a constant that i32 has no bits for fails wherever it is executed.
module @m_shifts attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @shifts(
  // CHECK-SAME: mica_check.inserted = 1 : i64
  // CHECK: arith.shrui %arg0, %c31
  // CHECK: scf.if %false
  // CHECK: mica_check.failed "shift by a number of bits
  func.func @shifts(%a: i32, %b: memref<i32>) {
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %0 = arith.shrui %a, %c31 : i32
    %1 = arith.shrui %0, %c32 : i32
    memref.store %1, %b[] : memref<i32>
    return
  }
}

// Constants divide, shifts and positions computed from sizes are for other levels: the function is left as it is.
// MUTATION: stays green, nothing is to be inserted.
module @m_nothing attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @nothing(
  // CHECK-NOT: mica_check
  func.func @nothing(%a: memref<?xi32>, %s: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : i32
    %n = memref.dim %a, %c0 : memref<?xi32>
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %a[%i] : memref<?xi32>
      %0 = arith.divsi %x, %c7 : i32
      %1 = arith.shli %0, %s : i32
      memref.store %1, %a[%i] : memref<?xi32>
    }
    return
  }
}

// The body of an atomic update has no side effects: its divisions are checked behind it, with the value it was given last.
module @m_update attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @update(
  func.func @update(%a: memref<8xi32>, %y: i32) {
    %c0 = arith.constant 0 : index
    // CHECK: %[[OLD:.*]] = memref.generic_atomic_rmw
    // CHECK: ^bb0(%[[X:.*]]: i32):
    // CHECK: %[[FITS:.*]] = mica_check.divisible signed %[[X]], %arg1 : i32
    // CHECK: %[[D:.*]] = arith.select %[[FITS]], %arg1, %{{.*}} : i32
    // CHECK: arith.divsi %[[X]], %[[D]] : i32
    // CHECK: memref.atomic_yield
    // CHECK: %[[OK:.*]] = mica_check.divisible signed %[[OLD]], %arg1 : i32
    // CHECK: scf.if %[[OK]]
    // CHECK: mica_check.failed "{{.*}}"(%[[OLD]], %arg1 : i32, i32)
    %old = memref.generic_atomic_rmw %a[%c0] : memref<8xi32> {
    ^bb0(%x: i32):
      %q = arith.divsi %x, %y : i32
      memref.atomic_yield %q : i32
    }
    return
  }
}

// Device code allocates by itself.
module @m_sizes attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @sizes(
  func.func @sizes(%n: index, %o: memref<8xindex>) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // CHECK: %[[OK:.*]] = arith.cmpi sge, %arg0, %{{.*}} : index
      // CHECK: scf.if %[[OK]]
      // CHECK: mica_check.failed "it would have the size {0} in dimension 1"(%arg0 : index)
      // CHECK: %[[SIZE:.*]] = arith.maxsi %arg0, %{{.*}} : index
      // CHECK: memref.alloc(%[[SIZE]]) : memref<3x?xf32>
      %m = memref.alloc(%n) : memref<3x?xf32>
      memref.dealloc %m : memref<3x?xf32>
      gpu.terminator
    }
    return
  }
}

// Lanes that a pass masks off hold 0.
module @m_padded attributes {mica_sched.kernel} {
  // CHECK-LABEL: func @padded(
  func.func @padded(%a: memref<4xi32>, %o: memref<4xi32>, %x: vector<8xi32>) {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    // CHECK: %[[M:.*]] = vector.constant_mask [4]
    // CHECK: %[[Y:.*]] = vector.transfer_read
    // CHECK: %[[D:.*]] = arith.select %[[M]], %[[Y]], %{{.*}} : vector<8xi1>, vector<8xi32>
    // CHECK: mica_check.divisible %arg2, %[[D]] : vector<8xi32>
    %m = vector.constant_mask [4] : vector<8xi1>
    %y = vector.transfer_read %a[%c0], %z, %m {in_bounds = [true]} : memref<4xi32>, vector<8xi32>
    %q = arith.divui %x, %y : vector<8xi32>
    vector.transfer_write %q, %o[%c0], %m {in_bounds = [true]} : vector<8xi32>, memref<4xi32>
    return
  }
}
