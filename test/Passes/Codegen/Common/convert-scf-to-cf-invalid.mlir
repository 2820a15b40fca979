// RUN: mica-opt %s --mica-codegen-convert-scf-to-cf --verify-diagnostics

// Branches need a region that may have several blocks.
func.func @inside(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = mica_sched.buffer_region updates(%x : tensor<8xf32>) {
  ^bb0(%memory: memref<8xf32>):
    // expected-error @below {{'scf.for' does not become branches: it lies in 'mica_sched.buffer_region', which has one block; lower that first}}
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %memory[%i] : memref<8xf32>
      memref.store %v, %memory[%c0] : memref<8xf32>
    }
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
