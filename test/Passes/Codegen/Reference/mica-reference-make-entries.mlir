// RUN: mica-opt %s --mica-reference-lowering | FileCheck %s

// The entry has the host ABI; memory of the program comes from the runtime, by a table that checks the sizes. What the entry takes is
// said in a symbol of its own: it allocates (1) and has one argument of 4 bytes an element and one dynamic dimension. Without memory for a result
// it ends.

// CHECK-DAG:   llvm.mlir.global linkonce_odr hidden thread_local @mica_plain_api
// CHECK-DAG:   llvm.mlir.global weak @mica_memory_api()
// CHECK-DAG:   llvm.mlir.global external constant @mica_entry_signature_f(dense<[1, 1, 1, 4, 1, -1]> : tensor<6xi64>)
// CHECK-NOT:   _mlir_memref_to_llvm
// CHECK-LABEL: llvm.func @mica_entry_f(
// CHECK-SAME:    %[[API:.*]]: !llvm.ptr, %[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr, %[[DIMS:.*]]: !llvm.ptr) -> i32
// CHECK:         llvm.call @_mlir_ciface_mica_plain_f(
// CHECK:         llvm.cond_br %{{.*}}, ^[[LEAVE:bb[0-9]+]], ^
// CHECK:         "llvm.intr.memcpy"
// CHECK:       ^[[LEAVE]]:
// CHECK-NOT:     func.func
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mica.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
