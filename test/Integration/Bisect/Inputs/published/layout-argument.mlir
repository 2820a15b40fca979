// A buffer with strides and an offset as argument and result.
// VERDICT: same
// PIPELINE: --expand-strided-metadata --fold-memref-alias-ops --canonicalize
// FLAGS: --entry=f
func.func @f(%a: memref<4x8xf32, strided<[16, 2], offset: 3>>, %i: index) -> (memref<4x8xf32, strided<[16, 2], offset: 3>>, f32) {
  %c0 = arith.constant 0 : index
  %s = memref.subview %a[%i, 1] [2, 3] [1, 2] : memref<4x8xf32, strided<[16, 2], offset: 3>> to memref<2x3xf32, strided<[16, 4], offset: ?>>
  %x = memref.load %s[%c0, %i] : memref<2x3xf32, strided<[16, 4], offset: ?>>
  %y = arith.addf %x, %x : f32
  memref.store %y, %s[%i, %c0] : memref<2x3xf32, strided<[16, 4], offset: ?>>
  return %a, %x : memref<4x8xf32, strided<[16, 2], offset: 3>>, f32
}
