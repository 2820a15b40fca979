// What the runtime has to know of a kernel stands on its module before the kernel is lowered.
// RUN: mica-opt %s --pass-pipeline='builtin.module(builtin.module(mica-schedule-record-launches))' | FileCheck %s

// The buffers without the scratch memory, the scalars without part and parts; -inf chosen by a condition makes masks.
// CHECK: module @k attributes {mica_sched.kernel, mica_sched.launch = {
// CHECK-SAME: access = ["read", "write"], bindings = [memref<?xf32>, memref<4xf32>], grid = 2 : i64, masks, scalars = 1 : i64,
// CHECK-SAME: scratch_bytes = 64 : i64, share_elements = array<i64: 0, 2>, strategy = "by hand"}
module @k attributes {mica_sched.kernel} {
  func.func @k(%x: memref<?xf32> {mica_sched.access = "read"}, %y: memref<4xf32> {mica.share_elements = 2 : i64, mica_sched.access = "write"},
               %n: index, %scratch: memref<64xi8>, %part: index, %parts: index)
      attributes {mica_sched.grid = 2 : i64, mica_sched.scratch_bytes = 64 : i64, mica_sched.strategy = "by hand"} {
    %inf = arith.constant 0xFF800000 : f32
    %0 = memref.load %x[%n] : memref<?xf32>
    %1 = arith.cmpi eq, %part, %parts : index
    %2 = arith.select %1, %0, %inf : f32
    memref.store %2, %y[%part] : memref<4xf32>
    return
  }
}

// What is there stays: the function may be lowered in part.
// CHECK: module @lowered attributes {mica_sched.kernel, mica_sched.launch = {access = [], {{.*}}grid = 7 : i64
module @lowered attributes {mica_sched.kernel, mica_sched.launch = {access = [], bindings = [], grid = 7 : i64, scalars = 0 : i64, scratch_bytes = 0 : i64, share_elements = array<i64>}} {
  llvm.func @mica_kernel_lowered(%arg0: !llvm.ptr)
}

// CHECK: module @other {
module @other {
}
