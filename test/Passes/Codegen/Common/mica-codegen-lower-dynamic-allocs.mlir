// RUN: mica-opt %s --allow-unregistered-dialect --mica-codegen-lower-dynamic-allocs | FileCheck %s
// RUN: mica-opt %s --allow-unregistered-dialect --mica-codegen-lower-dynamic-allocs=keeps-all | FileCheck %s --check-prefix=KEEP
// RUN: mica-opt %s --allow-unregistered-dialect --mica-codegen-lower-dynamic-allocs=stack-bytes=64 | FileCheck %s --check-prefix=STACK

// Memory comes from the runtime, with its sizes, and goes back to it.

// CHECK-DAG:   llvm.mlir.global internal constant @mica_type_bf16("bf16\00")
// CHECK-DAG:   llvm.mlir.global weak @mica_memory_api() {{.*}}: !llvm.ptr
// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[SIZES:.*]] = llvm.alloca %{{.*}} x i64
// CHECK:         scf.for
// CHECK:           %[[N:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:           llvm.store %[[N]], %{{.*}} : i64, !llvm.ptr
// CHECK:           %[[TABLE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK:           llvm.getelementptr %[[TABLE]][0, 1]
// CHECK:           llvm.call %{{.*}}(%{{.*}}, %{{.*}}, %[[SIZES]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
// CHECK:           "test.use"
// CHECK:           llvm.getelementptr %{{.*}}[0, 2]
// CHECK:           llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (!llvm.ptr) -> ()
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.dealloc

// KEEP-LABEL: func.func @dynamic(
// KEEP:         llvm.call
// KEEP-NOT:     llvm.call
// KEEP-LABEL: func.func @onStack
func.func @dynamic(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc(%n) : memref<?x4xbf16>
    "test.use"(%0) : (memref<?x4xbf16>) -> ()
    memref.dealloc %0 : memref<?x4xbf16>
  }
  return
}

// What is small stays on the stack; what is large, or of unknown size, does not fit there.

// CHECK-LABEL: func.func @onStack(
// CHECK:         memref.alloca() : memref<64xf32>
// CHECK-COUNT-2: llvm.call
// STACK-LABEL: func.func @onStack(
// STACK-NOT:     memref.alloca
// STACK-COUNT-3: llvm.call
func.func @onStack(%n: index) {
  %0 = memref.alloca() : memref<64xf32>
  %1 = memref.alloca() : memref<1048576xf32>
  %2 = memref.alloca(%n) : memref<?xf32>
  "test.use"(%0, %1, %2) : (memref<64xf32>, memref<1048576xf32>, memref<?xf32>) -> ()
  return
}

// An alignment of its own is passed on; sizes are compared by the same table.

// CHECK-LABEL: func.func @shapes(
// CHECK:         llvm.getelementptr %{{.*}}[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, ptr, ptr, ptr)>
// CHECK:         llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK:         llvm.getelementptr %{{.*}}[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, ptr, ptr, ptr, ptr)>
// CHECK:         llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, i32, !llvm.ptr, i64, !llvm.ptr, i64) -> ()
// CHECK:         llvm.getelementptr %{{.*}}[0, 4]
// CHECK:         llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, i32, !llvm.ptr, i64, !llvm.ptr, i64) -> ()
func.func @shapes(%n: index) {
  %0 = memref.alloc(%n) {alignment = 4096 : i64} : memref<?xf32>
  "test.use"(%0) : (memref<?xf32>) -> ()
  mica_sched.check_reshape sizes(%n) : tensor<?xf32> to : tensor<2x3xf32>
  mica_sched.check_sum %n, %n : f32
  return
}
