// RUN: mica-opt %s --mica-reference-return-updates | FileCheck %s

// The globals' initial values are set by the entries.
// CHECK: memref.global "private" @g : memref<4xf32> = uninitialized
memref.global "private" constant @g : memref<4xf32> = dense<1.0>

// An argument that nothing stores to stays what it is; one that is stored to, here in a callee and through a view, is copied
// and returned behind the results there are.
// CHECK-LABEL: func.func private @mica_plain_body_f
// CHECK: call @store
// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<?xf32>) -> (f32 {mica.name = "first"}, memref<?xf32> {mica_sched.updates = 1 : i64})
// CHECK: %[[INITIAL:.*]] = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[FROM:.*]] = bufferization.to_buffer %[[INITIAL]] read_only
// CHECK: %[[G:.*]] = memref.get_global @g
// CHECK: memref.copy %[[FROM]], %[[G]]
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: memref.copy %[[Y]], %[[COPY]]
// CHECK: %[[R:.*]] = call @mica_plain_body_f(%[[X]], %[[COPY]])
// CHECK: return %[[R]], %[[COPY]]
func.func @f(%x: memref<4xf32>, %y: memref<?xf32>) -> (f32 {mica.name = "first"}) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  %view = memref.subview %y[1] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 1>>
  call @store(%view, %v) : (memref<2xf32, strided<[1], offset: 1>>, f32) -> ()
  return %v : f32
}
func.func private @store(%m: memref<2xf32, strided<[1], offset: 1>>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<2xf32, strided<[1], offset: 1>>
  return
}

// Callers pass buffers without gaps.
// CHECK-LABEL: func.func @layouts
// CHECK-SAME: %[[X:.*]]: memref<2x3xf32>, %[[Y:.*]]: memref<3xf32>) -> (memref<3xf32>, memref<3xf32> {mica_sched.updates = 1 : i64})
// CHECK: %[[CAST:.*]] = memref.cast %[[X]] : memref<2x3xf32> to memref<2x3xf32, strided<[?, 1], offset: ?>>
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [3], strides: [2]
// CHECK: memref.copy %[[Y]], %[[VIEW]]
// CHECK: %[[R:.*]] = call @mica_plain_body_layouts(%[[CAST]], %[[VIEW]])
// CHECK: memref.copy %[[R]], %[[FIRST:.*]] : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>
// CHECK: memref.copy %[[VIEW]], %[[SECOND:.*]] : memref<3xf32, strided<[2]>> to memref<3xf32>
// CHECK: return %{{.*}}, %{{.*}} : memref<3xf32>, memref<3xf32>
func.func @layouts(%x: memref<2x3xf32, strided<[?, 1], offset: ?>>, %y: memref<3xf32, strided<[2]>>)
    -> memref<3xf32, strided<[1], offset: ?>> {
  %row = memref.subview %x[1, 0] [1, 3] [1, 1] : memref<2x3xf32, strided<[?, 1], offset: ?>> to memref<3xf32, strided<[1], offset: ?>>
  linalg.exp ins(%row : memref<3xf32, strided<[1], offset: ?>>) outs(%y : memref<3xf32, strided<[2]>>)
  return %row : memref<3xf32, strided<[1], offset: ?>>
}

// A loop that carries a buffer stores to it, and a helper that prints does not.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: -> (memref<4xf32> {mica_sched.updates = 0 : i64})
func.func private @printMemrefF32(memref<*xf32>)
func.func @carried(%x: memref<4xf32>, %y: memref<4xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = memref.cast %y : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x) -> memref<4xf32> {
    memref.store %v, %m[%i] : memref<4xf32>
    scf.yield %m : memref<4xf32>
  }
  return
}

// A prefetch stores nothing.
// CHECK-LABEL: func.func @prefetched(
// CHECK-SAME:    ) {
// CHECK-NOT: return %
func.func @prefetched(%x: memref<4xf32>, %i: index) {
  affine.prefetch %x[%i], read, locality<3>, data : memref<4xf32>
  memref.prefetch %x[%i], read, locality<3>, data : memref<4xf32>
  return
}

// Whoever has the address of a buffer may store to it.
// CHECK-LABEL: func.func @addressed
// CHECK-SAME: -> (memref<4xf32> {mica_sched.updates = 0 : i64}, memref<4xf32> {mica_sched.updates = 1 : i64}) {
llvm.func @writes(!llvm.ptr)
func.func @addressed(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  %d = builtin.unrealized_conversion_cast %x : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %p = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.call @writes(%p) : (!llvm.ptr) -> ()
  %address = memref.extract_aligned_pointer_as_index %y : memref<4xf32> -> index
  %same = builtin.unrealized_conversion_cast %z : memref<4xf32> to memref<?xf32>
  return
}

// Digits for no extents, which upstream's lower-affine crashes on.
// CHECK-LABEL: func.func @no_digits(
// CHECK-NOT:     affine.delinearize_index
func.func @no_digits(%x: index) -> index {
  "affine.delinearize_index"(%x) <{static_basis = array<i64>}> : (index) -> ()
  return %x : index
}
