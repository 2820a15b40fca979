// The mask of the gather is dropped.
// VERDICT: miscompile lower-vector-mask
// PIPELINE: builtin.module(func.func(lower-vector-mask))
// FLAGS: --entry=f
func.func @f(%m: memref<8xi32>, %i: vector<4xi32>, %p: vector<4xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %inner = vector.create_mask %c2 : vector<4xi1>
  %outer = vector.create_mask %c3 : vector<4xi1>
  %r = vector.mask %outer { vector.gather %m[%c0] [%i], %inner, %p : memref<8xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  return %r : vector<4xi32>
}
