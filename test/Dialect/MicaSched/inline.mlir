// Functions on buffers are inlined with the checks of sizes in them: a call that stayed would be one of a function that has no kernels.
// RUN: mica-opt %s --inline | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NOT: call
// CHECK: mica_sched.buffer_region
// CHECK: mica_sched.check_reshape
// CHECK: mica_sched.check_sizes
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %ok: i1) -> tensor<?xf32> {
  %0 = call @g(%x, %y, %ok) : (tensor<?xf32>, tensor<?xf32>, i1) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func private @g(%x: tensor<?xf32>, %y: tensor<?xf32>, %ok: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = mica_sched.buffer_region reads(%x : tensor<?xf32>) updates(%y : tensor<?xf32>) {
  ^bb0(%a: memref<?xf32>, %b: memref<?xf32>):
    %n = memref.dim %a, %c0 : memref<?xf32>
    %m = memref.dim %b, %c0 : memref<?xf32>
    mica_sched.check_reshape same_sizes sizes(%n) : tensor<?xf32> to sizes(%m) : tensor<?xf32>
    memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  } -> tensor<?xf32>
  mica_sched.check_sizes %ok, "it is not"
  return %0 : tensor<?xf32>
}
