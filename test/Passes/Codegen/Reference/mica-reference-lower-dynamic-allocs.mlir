// RUN: mica-opt %s --mica-reference-lower-dynamic-allocs | FileCheck %s
// RUN: mica-opt %s --mica-reference-lower-dynamic-allocs=keeps-all | FileCheck %s --check-prefix=KEEP

// As mica-codegen-lower-dynamic-allocs, whose test has the details: memory comes from the runtime's table and goes back to it, or is
// the invocation's.

// CHECK-DAG:   llvm.mlir.global weak @mica_memory_api() {{.*}}: !llvm.ptr
// CHECK-LABEL: func.func @dynamic(
// CHECK:         llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
// CHECK:         memref.store
// CHECK:         llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (!llvm.ptr) -> ()
// KEEP-LABEL:  func.func @dynamic(
// KEEP:          llvm.call
// KEEP:          memref.store
// KEEP-NOT:      llvm.call
func.func @dynamic(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %0[%c0] : memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  return
}
