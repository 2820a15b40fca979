// RUN: mica-opt %s -split-input-file --mica-cpu-prefetch-rows=min-bytes=4096 | FileCheck %s

// The second nest finds its rows in the cache, and nothing is stored yet: it prefetches the rows that the first nest loads in the next iteration
// (at the end the last two again) and those that the last nest stores, two lines for 32 floats.
// CHECK-DAG: #[[$NEXT:.*]] = affine_map<(d0) -> (d0 + 2, 62)>
// CHECK-LABEL: func @softmax
// CHECK-SAME: %[[X:.*]]: memref<64x128xf32>, %[[O:.*]]: memref<64x128xf32>
// CHECK: scf.forall (%[[I:.*]]) = (0) to (64) step (2)
// CHECK: arith.maximumf
// CHECK-DAG: %[[NEXT:.*]] = affine.min #[[$NEXT]](%[[I]])
// CHECK-DAG: %[[NEXT_ROWS:.*]] = memref.subview %[[X]][%[[NEXT]], 0] [2, 128] [1, 1]
// CHECK-DAG: %[[ROWS_OUT:.*]] = memref.subview %[[O]][%[[I]], 0] [2, 128] [1, 1]
// CHECK: scf.for %[[R:.*]] = %c0 to %c2
// CHECK: scf.for %[[J:.*]] = %c0 to %c128 step %c32
// CHECK: memref.prefetch %[[ROWS_OUT]][%[[R]], %[[J]]], write, locality<3>, data
// CHECK: %[[SECOND:.*]] = arith.addi %[[J]], %c16
// CHECK: memref.prefetch %[[ROWS_OUT]][%[[R]], %[[SECOND]]], write
// CHECK: memref.prefetch %[[NEXT_ROWS]][%[[R]], %[[J]]], read, locality<3>, data
// CHECK: memref.prefetch %[[NEXT_ROWS]][%[[R]], %{{.*}}], read
// CHECK-NOT: memref.prefetch
// CHECK: math.exp
func.func @softmax(%x: memref<64x128xf32>, %o: memref<64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %low = arith.constant dense<0.0> : vector<32xf32>
  scf.forall (%i) = (0) to (64) step (2) {
    %rows = memref.subview %x[%i, 0] [2, 128] [1, 1] : memref<64x128xf32> to memref<2x128xf32, strided<[128, 1], offset: ?>>
    %most = memref.alloc() : memref<2xf32>
    %some = memref.alloc() : memref<2x128xf32>
    scf.for %r = %c0 to %c2 step %c1 {
      %m = scf.for %j = %c0 to %c128 step %c32 iter_args(%s = %low) -> vector<32xf32> {
        %v = vector.load %rows[%r, %j] : memref<2x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
        %n = arith.maximumf %s, %v : vector<32xf32>
        scf.yield %n : vector<32xf32>
      }
      %n = vector.reduction <maximumf>, %m : vector<32xf32> into f32
      memref.store %n, %most[%r] : memref<2xf32>
    }
    scf.for %r = %c0 to %c2 step %c1 {
      %m = memref.load %most[%r] : memref<2xf32>
      %s = vector.broadcast %m : f32 to vector<32xf32>
      scf.for %j = %c0 to %c128 step %c32 {
        %v = vector.load %rows[%r, %j] : memref<2x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
        %d = arith.subf %v, %s : vector<32xf32>
        %e = math.exp %d : vector<32xf32>
        vector.store %e, %some[%r, %j] : memref<2x128xf32>, vector<32xf32>
      }
    }
    %out = memref.subview %o[%i, 0] [2, 128] [1, 1] : memref<64x128xf32> to memref<2x128xf32, strided<[128, 1], offset: ?>>
    scf.for %r = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c128 step %c32 {
        %v = vector.load %some[%r, %j] : memref<2x128xf32>, vector<32xf32>
        vector.store %v, %out[%r, %j] : memref<2x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
      }
    }
  } {mica_codegen.distribute = 1 : i64}
  return
}

// -----

// Two nests keep memory busy in turns.
// MUTATION: stays green, no nest leaves memory idle.
// CHECK-LABEL: func @two_nests
// CHECK-NOT: memref.prefetch
func.func @two_nests(%x: memref<64x128xf32>, %o: memref<64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %low = arith.constant dense<0.0> : vector<32xf32>
  scf.forall (%i) in (64) {
    %row = memref.subview %x[%i, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    %out = memref.subview %o[%i, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    %m = scf.for %j = %c0 to %c128 step %c32 iter_args(%s = %low) -> vector<32xf32> {
      %v = vector.load %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
      %n = arith.addf %s, %v : vector<32xf32>
      scf.yield %n : vector<32xf32>
    }
    scf.for %j = %c0 to %c128 step %c32 {
      %v = vector.load %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
      %d = arith.subf %v, %m : vector<32xf32>
      vector.store %d, %out[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
    }
  } {mica_codegen.distribute = 1 : i64}
  return
}

// -----

// Rows of 2 KiB in all stay in a cache.
// MUTATION: stays green, the argument is too small.
// CHECK-LABEL: func @small
// CHECK-NOT: memref.prefetch
func.func @small(%x: memref<4x128xf32>, %o: memref<4x128xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %low = arith.constant dense<0.0> : vector<32xf32>
  scf.forall (%i) in (4) {
    %row = memref.subview %x[%i, 0] [1, 128] [1, 1] : memref<4x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    %out = memref.subview %o[%i, 0] [1, 128] [1, 1] : memref<4x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    %some = memref.alloc() : memref<1x128xf32>
    %m = scf.for %j = %c0 to %c128 step %c32 iter_args(%s = %low) -> vector<32xf32> {
      %v = vector.load %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
      %n = arith.addf %s, %v : vector<32xf32>
      scf.yield %n : vector<32xf32>
    }
    scf.for %j = %c0 to %c128 step %c32 {
      %v = vector.load %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
      %d = arith.subf %v, %m : vector<32xf32>
      vector.store %d, %some[%c0, %j] : memref<1x128xf32>, vector<32xf32>
    }
    scf.for %j = %c0 to %c128 step %c32 {
      %v = vector.load %some[%c0, %j] : memref<1x128xf32>, vector<32xf32>
      vector.store %v, %out[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
    }
  } {mica_codegen.distribute = 1 : i64}
  return
}

// -----

// The nest between stores, too, to rows that were loaded.
// MUTATION: stays green, no nest leaves memory idle.
// CHECK-LABEL: func @stores_twice
// CHECK-NOT: memref.prefetch
func.func @stores_twice(%x: memref<64x128xf32>, %p: memref<64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %low = arith.constant dense<0.0> : vector<32xf32>
  scf.forall (%i) in (64) {
    %row = memref.subview %x[%i, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    %more = memref.subview %p[%i, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    %m = scf.for %j = %c0 to %c128 step %c32 iter_args(%s = %low) -> vector<32xf32> {
      %v = vector.load %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
      %n = arith.addf %s, %v : vector<32xf32>
      scf.yield %n : vector<32xf32>
    }
    scf.for %j = %c0 to %c128 step %c32 {
      %v = vector.load %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
      %d = arith.subf %v, %m : vector<32xf32>
      vector.store %d, %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
    }
    scf.for %j = %c0 to %c128 step %c32 {
      vector.store %m, %more[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
    }
  } {mica_codegen.distribute = 1 : i64}
  return
}

// -----

// Every iteration reads the same rows: nothing but the rows of the result is prefetched.
// CHECK-LABEL: func @same_rows
// CHECK: memref.prefetch {{.*}} write
// CHECK: memref.prefetch {{.*}} write
// CHECK-NOT: memref.prefetch
func.func @same_rows(%x: memref<64x128xf32>, %o: memref<64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %low = arith.constant dense<0.0> : vector<32xf32>
  scf.forall (%i) in (64) {
    %row = memref.subview %x[3, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: 384>>
    %out = memref.subview %o[%i, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    %some = memref.alloc() : memref<1x128xf32>
    %m = scf.for %j = %c0 to %c128 step %c32 iter_args(%s = %low) -> vector<32xf32> {
      %v = vector.load %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: 384>>, vector<32xf32>
      %n = arith.addf %s, %v : vector<32xf32>
      scf.yield %n : vector<32xf32>
    }
    scf.for %j = %c0 to %c128 step %c32 {
      %v = vector.load %row[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: 384>>, vector<32xf32>
      %d = arith.subf %v, %m : vector<32xf32>
      vector.store %d, %some[%c0, %j] : memref<1x128xf32>, vector<32xf32>
    }
    scf.for %j = %c0 to %c128 step %c32 {
      %v = vector.load %some[%c0, %j] : memref<1x128xf32>, vector<32xf32>
      vector.store %v, %out[%c0, %j] : memref<1x128xf32, strided<[128, 1], offset: ?>>, vector<32xf32>
    }
  } {mica_codegen.distribute = 1 : i64}
  return
}
