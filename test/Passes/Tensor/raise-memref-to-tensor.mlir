// RUN: mica-opt %s --mica-tensor-raise-memref-to-tensor | FileCheck %s

// What a function stores to an argument is a further result; structured ops stay structured.
// CHECK-LABEL: func.func @stored_arguments_are_results(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>) -> (tensor<4xf32> {mica_sched.updates = 1 : i64})
// CHECK: %[[R:.*]] = linalg.exp ins(%[[X]] : tensor<4xf32>) outs(%[[Y]] : tensor<4xf32>)
// CHECK: return %[[R]]
func.func @stored_arguments_are_results(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// Loops become one op; what only they use goes into it, what they give to the rest leaves as a result.
// CHECK-LABEL: func.func @loops_are_gathered(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[R:.*]] = mica_sched.buffer_region reads(%[[X]] : tensor<4xf32>) updates(%[[E]] : tensor<4xf32>)
// CHECK: memref.alloc() : memref<f32>
// CHECK: affine.for
// CHECK: affine.for
// CHECK: return %[[R]]
func.func @loops_are_gathered(%x: tensor<4xf32>) -> tensor<4xf32> {
  %b = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  %sum = memref.alloc() : memref<f32>
  %out = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 4 {
    %0 = memref.load %b[%i] : memref<4xf32>
    memref.store %0, %sum[] : memref<f32>
  }
  affine.for %i = 0 to 4 {
    %0 = memref.load %sum[] : memref<f32>
    memref.store %0, %out[%i] : memref<4xf32>
  }
  memref.dealloc %sum : memref<f32>
  %r = bufferization.to_tensor %out restrict : memref<4xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// A store to what a tensor lies in gives a new tensor; the old one keeps its value.
// CHECK-LABEL: func.func @tensors_keep_their_values(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[R:.*]] = mica_sched.buffer_region updates(%[[X]] : tensor<4xf32>)
// CHECK: return %[[X]], %[[R]]
func.func @tensors_keep_their_values(%x: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %b = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  %r = bufferization.to_tensor %b : memref<4xf32> to tensor<4xf32>
  return %x, %r : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @subviews_are_slices(
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
// CHECK: %[[F:.*]] = linalg.fill ins(%{{.*}}) outs(%[[S]] : tensor<4xf32>)
// CHECK: %[[R:.*]] = tensor.insert_slice %[[F]] into %[[X]][1, 0] [1, 4] [1, 1]
// CHECK: return %[[R]]
func.func @subviews_are_slices(%x: memref<4x4xf32>, %v: f32) {
  %s = memref.subview %x[1, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%s : memref<4xf32, strided<[1], offset: 4>>)
  return
}

// A scalar that loops compute leaves through a tensor of rank 0.
// CHECK-LABEL: func.func @scalars_leave(
// CHECK: %[[R:.*]] = mica_sched.buffer_region reads(%{{.*}} : tensor<4xf32>) updates(%{{.*}} : tensor<f32>)
// CHECK: memref.store %{{.*}}, %{{.*}}[] : memref<f32>
// CHECK: %[[S:.*]] = tensor.extract %[[R]][] : tensor<f32>
// CHECK: return %[[S]]
func.func @scalars_leave(%x: memref<4xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 4 iter_args(%a = %zero) -> f32 {
    %0 = affine.load %x[%i] : memref<4xf32>
    %1 = arith.addf %a, %0 : f32
    affine.yield %1 : f32
  }
  return %sum : f32
}

// A call of a function on buffers is its body; a global is one buffer; what prints stays in the host function, in order.
// CHECK-LABEL: func.func @prints_in_order(
// CHECK: %[[G:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK: %[[R:.*]] = mica_sched.buffer_region updates(%[[G]] : tensor<2xf32>)
// CHECK: mica_sched.buffer_region host reads(%[[R]] : tensor<2xf32>)
// CHECK: func.call @printMemrefF32
// CHECK: call @printNewline
// CHECK-NOT: func.func private @double
// CHECK-NOT: memref.global
memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @printMemrefF32(memref<*xf32>)
func.func private @printNewline()
func.func private @double(%m: memref<2xf32>) {
  affine.for %i = 0 to 2 {
    %0 = affine.load %m[%i] : memref<2xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %m[%i] : memref<2xf32>
  }
  return
}
func.func @prints_in_order() {
  %g = memref.get_global @g : memref<2xf32>
  call @double(%g) : (memref<2xf32>) -> ()
  %again = memref.get_global @g : memref<2xf32>
  %u = memref.cast %again : memref<2xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @printNewline() : () -> ()
  return
}

// A loop that prints carries what it stores.
// CHECK-LABEL: func.func @loops_carry_buffers(
// CHECK: %[[L:.*]] = scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (tensor<2xf32>) {
// CHECK: %[[R:.*]]:2 = mica_sched.buffer_region updates(%[[A]], %{{.*}} : tensor<2xf32>, tensor<f32>)
// CHECK: vector.print
// CHECK: scf.yield %[[R]]#0 : tensor<2xf32>
// CHECK: return %[[L]]
func.func @loops_carry_buffers(%m: memref<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%c0] : memref<2xf32>
    %0 = memref.load %m[%c1] : memref<2xf32>
    vector.print %0 : f32
  }
  return
}

// What takes a vector from loops goes with them.
// CHECK-LABEL: func.func @vectors_stay(
// CHECK: mica_sched.buffer_region host reads(%{{.*}} : tensor<4xf32>) {
// CHECK: %[[V:.*]] = vector.transfer_read
// CHECK: vector.print %[[V]] : vector<4xf32>
// CHECK: }
func.func @vectors_stay(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %zero : memref<4xf32>, vector<4xf32>
  vector.print %v : vector<4xf32>
  return
}

// What is lowered on tensors alone stays no code on buffers: the loop around it carries what it stores.
// CHECK-LABEL: func.func @softmax_in_a_loop(
// CHECK: scf.for %{{.*}} iter_args(%[[Y:.*]] = %{{.*}}) -> (tensor<2x4xf32>)
// CHECK: %[[R:.*]] = linalg.softmax dimension(1) ins(%{{.*}} : tensor<2x4xf32>) outs(%[[Y]] : tensor<2x4xf32>)
// CHECK: scf.yield %[[R]]
func.func @softmax_in_a_loop(%x: memref<2x4xf32>, %y: memref<2x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.softmax dimension(1) ins(%x : memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  }
  return
}

// A view of a shape keeps its sizes when the shape changes.
// CHECK-LABEL: func.func @sizes_are_read_where_the_view_is(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[SHAPE:.*]]: tensor<2xi32>
// CHECK: %[[READ:.*]] = tensor.extract %[[SHAPE]]
// CHECK: %[[N:.*]] = arith.index_cast %[[READ]] : i32 to index
// CHECK: mica_sched.check_reshape sizes(%{{.*}}) : tensor<?xf32> to sizes(%[[N]]) : tensor<?x3xf32>
// CHECK: mica_sched.buffer_region
// CHECK: memref.store
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%{{.*}}, 3], strides: [3, 1] : memref<?xf32> to memref<?x3xf32>
func.func @sizes_are_read_where_the_view_is(%x: memref<?xf32>, %shape: memref<2xi32>, %n: i32, %i: index) -> f32 {
  %v = memref.reshape %x(%shape) : (memref<?xf32>, memref<2xi32>) -> memref<?x3xf32>
  memref.store %n, %shape[%i] : memref<2xi32>
  %r = memref.load %v[%i, %i] : memref<?x3xf32>
  return %r : f32
}

// A use that certainly comes after the deallocation fails; others do not.
// CHECK-LABEL: func.func @deallocated(
// CHECK-NOT: cf.assert
// CHECK: scf.if
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK: cf.assert %[[NEVER]], "use of a buffer after its memref.dealloc at {{.*}}raise-memref-to-tensor.mlir:[[#@LINE+8]]:
// CHECK-NOT: cf.assert
// CHECK: return
func.func @deallocated(%y: memref<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%m : memref<4xf32>)
  scf.if %c {
    memref.dealloc %m : memref<4xf32>
    linalg.exp ins(%m : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  linalg.exp ins(%m : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// The sizes of a copy are compared; as tensors, they would be those of the source.
// CHECK-LABEL: func.func @copied(
// CHECK: mica_sched.check_reshape same_sizes
func.func @copied(%x: memref<?xf32>, %y: memref<?xf32>) {
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  return
}

// A structured op in control flow stays one on buffers: its sizes are checked where it is.
// CHECK-LABEL: func.func @sizes_in_a_branch(
// CHECK: scf.if
// CHECK: mica_sched.check_reshape same_sizes sizes(%{{.*}}) : tensor<?xf32> to sizes(%{{.*}}) : tensor<?xf32>
// CHECK-NEXT: linalg.exp
func.func @sizes_in_a_branch(%x: memref<?xf32>, %y: memref<?xf32>, %c: i1) {
  scf.if %c {
    linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  }
  return
}

// A window of 3 over n elements gives n - 2.
// CHECK-LABEL: func.func @window_in_a_branch(
// CHECK: scf.if
// CHECK: %[[LAST:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: arith.cmpi slt, %{{.*}}, %[[SIZE:.*]] : index
// CHECK: mica_sched.check_reshape same_sizes sizes(%[[SIZE]]) : tensor<?xf32> to sizes(%{{.*}}) : tensor<?xf32>
// CHECK-NEXT: linalg.conv_1d
func.func @window_in_a_branch(%x: memref<?xf32>, %w: memref<3xf32>, %y: memref<?xf32>, %c: i1) {
  scf.if %c {
    linalg.conv_1d ins(%x, %w : memref<?xf32>, memref<3xf32>) outs(%y : memref<?xf32>)
  }
  return
}

// An allocation whose layout nothing sees has none; it becomes a tensor.
// CHECK-LABEL: func.func @a_layout_that_nothing_sees(
// CHECK-NOT: affine_map
// CHECK: tensor.empty() : tensor<4x8xf32>
// CHECK: return
func.func @a_layout_that_nothing_sees(%v: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
  memref.store %v, %m[%c1, %c1] : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
  %r = memref.load %m[%c1, %c1] : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
  return %r : f32
}

// One that a view sees is a view of memory without gaps: 3 + 3 * 16 + 7 * 2 + 1 elements.
// CHECK-LABEL: func.func @a_layout_that_a_view_sees(
// CHECK: tensor.empty() : tensor<66xf32>
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [3], sizes: [4, 8], strides: [16, 2]
// CHECK: return
func.func @a_layout_that_a_view_sees(%v: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4x8xf32, strided<[16, 2], offset: 3>>
  %s = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32, strided<[16, 2], offset: 3>> to memref<8x4xf32, strided<[2, 16], offset: 3>>
  memref.store %v, %s[%c1, %c1] : memref<8x4xf32, strided<[2, 16], offset: 3>>
  %r = memref.load %m[%c1, %c1] : memref<4x8xf32, strided<[16, 2], offset: 3>>
  return %r : f32
}
