// RUN: mica-opt %s --convert-mica-sched-to-llvm --canonicalize | FileCheck %s

// What has dynamic sizes is checked: the runtime gets the operation, the bytes of an element and the sizes, and ends the function where
// they are too large. Small memory of a known size has no need of that.
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("             f16 {{.*}}sizes.mlir:{{[0-9]+}}:{{[0-9]+}}\00")
// CHECK-DAG: llvm.mlir.global external constant @mica_entry_signature_sizes(dense<[1, 0, 2, 8, 0, 2, 2, -1, 4]> : tensor<9xi64>)
// CHECK-LABEL: llvm.func @mica_entry_sizes
func.func @sizes(%n: index, %x: memref<?x4xf16>) attributes {mica_sched.entry} {
  // CHECK: llvm.getelementptr %arg0[0, 8]
  // CHECK: %[[M:.*]] = llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
  // CHECK: llvm.icmp "eq" %[[M]]
  // CHECK: llvm.cond_br
  %0 = mica_sched.alloc sizes(%n, %n) : memref<?x?xf16>
  // CHECK: llvm.getelementptr %arg0[0, 9]
  // CHECK: %[[B:.*]] = llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64) -> i64
  // CHECK: llvm.icmp "slt" %[[B]]
  // CHECK: llvm.cond_br
  %1 = mica_sched.byte_size sizes(%n, %n) : memref<?x?xf16>
  // CHECK: llvm.getelementptr %arg0[0, 1]
  %2 = mica_sched.alloc : memref<8xf16>
  // CHECK: llvm.getelementptr %arg0[0, 8]
  // CHECK-NOT: llvm.call @malloc
  // CHECK-NOT: llvm.call @free
  %3 = memref.alloc(%1) : memref<?xf16>
  memref.dealloc %3 : memref<?xf16>
  return
}

// Sizes that the program computed are compared; a large result is asked for in the name of its operation; an alignment of its own is passed on.
// CHECK-LABEL: llvm.func @mica_entry_shapes
func.func @shapes(%n: index) -> memref<?xf32> attributes {mica_sched.entry} {
  // CHECK: llvm.getelementptr %arg0[0, 12]
  // CHECK: %[[C:.*]] = llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64, !llvm.ptr, i64) -> i32
  // CHECK: llvm.icmp "ne" %[[C]]
  mica_sched.check_reshape sizes(%n) : tensor<?x2xf32> to sizes(%n, %n) : tensor<?x?xf32>
  // CHECK: llvm.getelementptr %arg0[0, 12]
  // CHECK: llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64, !llvm.ptr, i64) -> i32
  mica_sched.check_sum %n, %n : f32
  // CHECK: llvm.getelementptr %arg0[0, 11]
  // CHECK: llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
  %r = mica_sched.result 0 sizes(%n) : memref<?xf32>
  // CHECK: llvm.getelementptr %arg0[0, 10]
  // CHECK: llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
  %0 = memref.alloc() {alignment = 128 : i64} : memref<8xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %0[%c0] : memref<8xf32>
  memref.store %v, %r[%c0] : memref<?xf32>
  return %r : memref<?xf32>
}
