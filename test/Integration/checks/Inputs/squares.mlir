func.func @f(%x: memref<10xf32>, %y: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    %0 = affine.load %x[%i] : memref<10xf32>
    %1 = arith.mulf %0, %0 : f32
    affine.store %1, %y[%i] : memref<10xf32>
  }
  return
}
