// Every operation of the dialect, in every form that its round-trip test has, is lowered; what comes out verifies.
// RUN: mica-opt %mica_src/test/Dialect/Mica/ops.mlir -convert-mica-to-linalg | FileCheck %s --implicit-check-not="mica."
// CHECK: module

// Each op carries the location of the operation it came from: in one file per operation, no other location appears.
// RUN: mica-opt %s -convert-mica-to-linalg -mlir-print-debuginfo | FileCheck %s --check-prefix=LOC --implicit-check-not="loc(unknown)"
// LOC: linalg.generic
// LOC: math.exp {{.*}} loc([[OP:#loc[0-9]*]])
// LOC: linalg.yield {{.*}} loc([[OP]])
// LOC: } -> tensor<4x8xf32> loc([[OP]])
// LOC: [[OP]] = loc("body")
func.func @location_reaches_the_body(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.sigmoid %x : tensor<4x8xf32> loc("body")
  return %0 : tensor<4x8xf32>
}
