// i4 in bytes: vectors are cast to bytes.
// VERDICT: same
// PIPELINE: --test-emulate-narrow-int=memref-load-bitwidth=8
// FLAGS: --entry=f
func.func @f(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xi4>
  %v = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, -8]> : vector<8xi4>
  vector.store %v, %m[%c0] : memref<8xi4>, vector<8xi4>
  %x = memref.load %m[%i] : memref<8xi4>
  %r = arith.extsi %x : i4 to i32
  return %r : i32
}
