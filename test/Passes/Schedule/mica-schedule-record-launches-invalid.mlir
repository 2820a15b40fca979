// RUN: not mica-opt %s --pass-pipeline='builtin.module(builtin.module(mica-schedule-record-launches))' 2>&1 | FileCheck %s
// CHECK: error: kernel 'k' cannot be launched: no function of its name, and no attribute 'mica_sched.launch'
func.func private @program()
module @k attributes {mica_sched.kernel} {
  llvm.func @mica_kernel_k(%arg0: !llvm.ptr)
}
