// RUN: mica-opt %s --pass-pipeline='builtin.module(mica-reference-make-kernel-entries)' | FileCheck %s

// Buffers, their dynamic sizes and the scalars come from tables; the kernel keeps its arguments.
// CHECK:         func.func @mica_kernel_k(%[[ARGS:.*]]: !llvm.ptr) -> i32 attributes {mica_sched.grid
// CHECK:           llvm.load
// CHECK:           call @mica_body_k(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (memref<?xf32>, index, index, index) -> ()
// CHECK:           return %{{.*}} : i32
// CHECK:         func.func private @mica_body_k(
module @k attributes {mica_sched.kernel, mica_sched.hash = "0000000000000001", mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.generic"], mica_sched.root_kind = "exp"} {
  func.func @k(%a: memref<?xf32> {mica_sched.access = "readwrite"}, %n: index, %part: index, %parts: index) attributes {mica_sched.grid = 1 : i64} {
    return
  }
}
