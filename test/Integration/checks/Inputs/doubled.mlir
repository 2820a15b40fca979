func.func @f(%x: memref<10xf32>) -> memref<10xf32> {
  %b = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %0 = affine.load %x[%i] : memref<10xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %b[%i] : memref<10xf32>
  }
  %r = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %0 = affine.load %b[%i] : memref<10xf32>
    %1 = math.exp %0 : f32
    affine.store %1, %r[%i] : memref<10xf32>
  }
  return %r : memref<10xf32>
}
