// In a build with assertions, --debug-only prints what a pass decides.
// REQUIRES: compiler, asserts
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-prove))' --debug-only=mica-check-prove -o /dev/null 2>&1 | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-prove))' --debug-only=mica-check-insert,mica-check-lower -o /dev/null 2>&1 | count 0

// CHECK: [mica-check-prove Prove.cpp:{{[0-9]+}} 1] proved: %{{.*}} = mica_check.in_bounds
// CHECK: [mica-check-prove Prove.cpp:{{[0-9]+}} 1] not proved: %{{.*}} = mica_check.in_bounds
func.func @f(%a: memref<8xf32>, %i: index) -> (i1, i1) {
  %c0 = arith.constant 0 : index
  %0 = mica_check.in_bounds %a[%c0] : memref<8xf32>
  %1 = mica_check.in_bounds %a[%i] : memref<8xf32>
  return %0, %1 : i1, i1
}
