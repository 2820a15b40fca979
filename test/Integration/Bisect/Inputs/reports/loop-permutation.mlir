// Loops that a dependence orders are permuted. One of mlir-opt's test passes.
// VERDICT: miscompile test-loop-permutation
// PIPELINE: --test-loop-permutation="permutation-map=1,0"
func.func @main() {
  %m = memref.alloc() : memref<5x5xi32>
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 5 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%i, %j)
      %l = arith.index_cast %k : index to i32
      affine.store %l, %m[%i, %j] : memref<5x5xi32>
    }
  }
  affine.for %i = 1 to 5 {
    affine.for %j = 0 to 4 {
      %v = affine.load %m[%i - 1, %j + 1] : memref<5x5xi32>
      affine.store %v, %m[%i, %j] : memref<5x5xi32>
    }
  }
  %c = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %e = memref.load %m[%c, %c0] : memref<5x5xi32>
  vector.print %e : i32
  return
}
