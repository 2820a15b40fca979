// RUN: mica-opt %s --mica-gpu-assign-devices="device=gpu:0" | FileCheck %s

// CHECK: mica_sched.task @neg({{.*}}) {{.*}}device = "gpu:0"
module @neg attributes {mica_sched.kernel} {
  func.func @neg(%a: memref<4xf32> {mica_sched.access = "read"}, %o: memref<4xf32> {mica_sched.access = "write"}) {
    return
  }
}
mica_sched.task_list @main_0(%a: memref<4xf32>, %o: memref<4xf32>) arena 0 {
  %0 = mica_sched.task @neg(%a, %o) {op_ids = []} : memref<4xf32>, memref<4xf32>
}
