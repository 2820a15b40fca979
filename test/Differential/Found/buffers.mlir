// run {"entry": "p", "inputs": ["5x7xf32=random:941:-5:9", "5xf32=random:3:-8:8", "index=3"], "error": [0, 0], "stores": [0, 1]}
func.func @p(%a: memref<5x7xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i, %c1] : memref<5x7xf32>
    %1 = memref.load %b[%i] : memref<?xf32>
    %2 = arith.maximumf %0, %1 : f32
    memref.store %2, %b[%i] : memref<?xf32>
  }
  affine.for %i = 1 to 5 {
    %0 = affine.load %a[%i - 1, 0] : memref<5x7xf32>
    affine.store %0, %a[%i, 0] : memref<5x7xf32>
  }
  return
}
