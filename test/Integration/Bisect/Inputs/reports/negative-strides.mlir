// PIPELINE: --expand-strided-metadata --fold-memref-alias-ops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: miscompile finalize-memref-to-llvm
memref.global "private" @g : memref<3x4xi64> = dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]>
func.func @main() {
  %g = memref.get_global @g : memref<3x4xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %s = memref.subview %g[%c1, 1] [2, %c2] [1, %c2] : memref<3x4xi64> to memref<2x?xi64, strided<[4, ?], offset: ?>>
  %v = memref.load %s[%c1, %c1] : memref<2x?xi64, strided<[4, ?], offset: ?>>
  vector.print %v : i64
  %r = memref.reinterpret_cast %g to offset: [11], sizes: [3, 4], strides: [-4, -1] : memref<3x4xi64> to memref<3x4xi64, strided<[-4, -1], offset: 11>>
  %w = memref.load %r[%c0, %c1] : memref<3x4xi64, strided<[-4, -1], offset: 11>>
  vector.print %w : i64
  %t = memref.transpose %g (i, j) -> (j, i) : memref<3x4xi64> to memref<4x3xi64, strided<[1, 4]>>
  %x = memref.load %t[%c3, %c1] : memref<4x3xi64, strided<[1, 4]>>
  vector.print %x : i64
  %e = memref.expand_shape %g [[0], [1, 2]] output_shape [3, 2, 2] : memref<3x4xi64> into memref<3x2x2xi64>
  %y = memref.load %e[%c2, %c1, %c0] : memref<3x2x2xi64>
  vector.print %y : i64
  return
}
