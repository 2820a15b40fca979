// RUN: mica-opt %s --convert-mica-sched-to-llvm --canonicalize | FileCheck %s

// What has dynamic sizes is checked: the runtime gets the operation, the bytes of an element and the sizes, and ends the function where
// they are too large. Small memory of a known size has no need of that.
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("             f16\00")
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
