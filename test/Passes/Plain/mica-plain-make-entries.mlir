// RUN: mica-opt %s --mica-plain-lowering | FileCheck %s

// The entry has the host ABI; memory of the program comes from the runtime, its second service.

// CHECK-DAG:   llvm.mlir.global internal @mica_plain_api
// CHECK-LABEL: llvm.func internal @_mlir_memref_to_llvm_alloc(
// CHECK:         llvm.getelementptr %{{.*}}[0, 1]
// CHECK-LABEL: llvm.func @mica_entry_f(
// CHECK-SAME:    %[[API:.*]]: !llvm.ptr, %[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr, %[[DIMS:.*]]: !llvm.ptr) -> i32
// CHECK:         llvm.call @_mlir_ciface_mica_plain_f(
// CHECK:         "llvm.intr.memcpy"
// CHECK-NOT:     func.func
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mica.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
