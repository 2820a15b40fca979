// Every operation of the dialect, in every form that its round-trip test has, is lowered; what comes out verifies.
// RUN: mica-opt %mica_src/test/Dialect/Mica/ops.mlir -convert-mica-to-linalg | FileCheck %s --implicit-check-not="{{(^|=) *mica[.]}}"
// RUN: mica-opt %mica_src/test/Dialect/Mica/ops-axes.mlir -convert-mica-to-linalg | FileCheck %s --implicit-check-not="{{(^|=) *mica[.]}}"
// RUN: mica-opt %mica_src/test/Dialect/Mica/ops-images.mlir -convert-mica-to-linalg | FileCheck %s --implicit-check-not="{{(^|=) *mica[.]}}"
// RUN: mica-opt %mica_src/test/Dialect/Mica/ops-norms.mlir -convert-mica-to-linalg | FileCheck %s --implicit-check-not="{{(^|=) *mica[.]}}"
// RUN: mica-opt %mica_src/test/Dialect/Mica/ops-windows.mlir -convert-mica-to-linalg | FileCheck %s --implicit-check-not="{{(^|=) *mica[.]}}"
// RUN: mica-opt %mica_src/test/Dialect/Mica/ops-elementwise.mlir -convert-mica-to-linalg | FileCheck %s --implicit-check-not="{{(^|=) *mica[.]}}"
// CHECK: module

// Each op carries the location of the operation it came from, ops in bodies too: it is what carries the ids.
// RUN: mica-opt %s -convert-mica-to-linalg -mlir-print-debuginfo -mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=LOC --implicit-check-not="loc(unknown)"
// LOC: tensor.empty() {{.*}} loc("body")
// LOC: linalg.generic
// LOC: arith.negf {{.*}} loc("body")
// LOC: math.exp {{.*}} loc("body")
// LOC: linalg.yield {{.*}} loc("body")
// LOC: } -> tensor<4x8xf32> loc("body")
func.func @location_reaches_the_body(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.sigmoid %x : tensor<4x8xf32> loc("body")
  return %0 : tensor<4x8xf32>
}
