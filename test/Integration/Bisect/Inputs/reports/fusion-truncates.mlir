// The first nest has one more iteration than the one it is fused with.
// VERDICT: miscompile affine-loop-fusion
// PIPELINE: --affine-loop-fusion
module {
  func.func @kernel(%ey: memref<4x4xf64>, %hz: memref<4x4xf64>) {
    affine.for %t = 0 to 2 {
      affine.for %i = 1 to 4 {
        affine.for %j = 0 to 4 {
          %old = affine.load %ey[%i, %j] : memref<4x4xf64>
          %a = affine.load %hz[%i, %j] : memref<4x4xf64>
          %b = affine.load %hz[%i - 1, %j] : memref<4x4xf64>
          %d = arith.subf %a, %b : f64
          %new = arith.subf %old, %d : f64
          affine.store %new, %ey[%i, %j] : memref<4x4xf64>
        }
      }
      affine.for %i = 0 to 3 {
        affine.for %j = 0 to 3 {
          %old = affine.load %hz[%i, %j] : memref<4x4xf64>
          %y1 = affine.load %ey[%i + 1, %j] : memref<4x4xf64>
          %y0 = affine.load %ey[%i, %j] : memref<4x4xf64>
          %d = arith.subf %y1, %y0 : f64
          %new = arith.subf %old, %d : f64
          affine.store %new, %hz[%i, %j] : memref<4x4xf64>
        }
      }
    }
    return
  }
}
