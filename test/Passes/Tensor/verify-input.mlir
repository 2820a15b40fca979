// MUTATION: stays green, the pass only rejects.
// RUN: mica-opt %s --mica-tensor-verify-input | FileCheck %s

// What exporters write passes unchanged, loops included.
// MUTATION: stays green, it is accepted as it is.
// CHECK-LABEL: func.func @mixed
// CHECK: tosa.add
// CHECK: linalg.fill
// CHECK: scf.for
func.func @mixed(%x: tensor<?x4xbf16>, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.0 : f32
  %0 = tosa.add %y, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %1) -> tensor<4xf32> {
    %3 = math.exp %a : tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}

// Buffers, vectors and the runtime's helpers too.
// MUTATION: stays green, it is accepted as it is.
// CHECK-LABEL: func.func private @printMemrefF32
// CHECK: func.func @buffers
func.func private @printMemrefF32(memref<*xf32>)
func.func private @rtclock() -> f64
func.func @buffers(%m: memref<?x4xf32, strided<[?, 1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0, %c0], %cst : memref<?x4xf32, strided<[?, 1], offset: ?>>, vector<4xf32>
  vector.print %v : vector<4xf32>
  %u = memref.cast %m : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
