// RUN: mica-opt %s -pass-pipeline='builtin.module(builtin.module(mica-codegen-convert-kernel-entry))' | FileCheck %s

module {
  module @k attributes {mica_sched.kernel} {
    // Not allocating, 64 bytes of scratch memory, any grid, a scalar, two bindings with access, bytes of an element, rank and dimensions.
    // CHECK:      llvm.mlir.global external constant @mica_signature_k(dense<[1, 0, 64, -1, 1, 2, 0,
    // CHECK:      func.func private @mica_body_k(
    // CHECK-SAME:   %[[A:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull, llvm.readonly}
    // CHECK-SAME:   %[[O:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull}
    // CHECK-SAME:   %[[DA:[^:]*]]: i64, %[[DO:[^:]*]]: i64, %[[N:[^:]*]]: i64
    // CHECK-SAME:   %[[S:[^:]*]]: !llvm.ptr {{.*}}, %[[PART:[^:]*]]: i64, %[[PARTS:[^:]*]]: i64)
    // CHECK-SAME:   llvm.linkage = #llvm.linkage<internal>

    // CHECK:      func.func @mica_kernel_k(%[[ARGS:.*]]: !llvm.ptr) -> i32
    // CHECK-SAME:   mica_sched.grid = -1 : i64, mica_sched.scratch_bytes = 64 : i64
    // CHECK:        %[[BUFFERS:.*]] = llvm.load
    // CHECK:        call @mica_body_k
    // CHECK:        return
    func.func @k(%a: memref<4x?xf32> {mica_sched.access = "read"}, %o: memref<4x?xf32> {mica_sched.access = "write"},
                 %n: index, %scratch: memref<64xi8>, %part: index, %parts: index)
        attributes {mica_sched.grid = -1 : i64, mica_sched.scratch_bytes = 64 : i64} {
      %c0 = arith.constant 0 : index
      %0 = memref.load %a[%c0, %n] : memref<4x?xf32>
      memref.store %0, %o[%part, %parts] : memref<4x?xf32>
      return
    }
  }
}
