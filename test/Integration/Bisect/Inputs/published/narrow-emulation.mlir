// i4 in bytes: half of a byte is never written.
// VERDICT: same
// PIPELINE: --test-emulate-narrow-int=memref-load-bitwidth=8 --canonicalize
// FLAGS: --entry=f
func.func @f(%i: index, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<5xi4>
  %z = arith.constant 3 : i4
  affine.for %j = 0 to 5 { memref.store %z, %m[%j] : memref<5xi4> }
  %t = arith.trunci %k : i8 to i4
  memref.store %t, %m[%i] : memref<5xi4>
  %v = memref.load %m[%i] : memref<5xi4>
  %r = arith.extsi %v : i4 to i8
  return %r : i8
}
