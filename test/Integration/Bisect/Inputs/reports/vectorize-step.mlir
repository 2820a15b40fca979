// A loop of step 3 becomes stores of neighbors.
// VERDICT: miscompile affine-super-vectorize
// PIPELINE: --affine-super-vectorize="virtual-vector-size=4 test-fastest-varying=0"
func.func @step(%out: memref<32xi32>) {
  %one = arith.constant 1 : i32
  affine.for %iv = -4 to 13 step 3 {
    affine.store %one, %out[%iv + 8] : memref<32xi32>
  }
  return
}
