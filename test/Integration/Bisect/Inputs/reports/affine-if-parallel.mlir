// PIPELINE: --affine-parallelize --lower-affine --scf-parallel-loop-tiling=parallel-loop-tile-sizes=2 --convert-scf-to-cf --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
#s = affine_set<(i) : (i - 2 >= 0, -i + 5 >= 0, i mod 2 == 0)>
func.func private @printMemrefI64(memref<*xi64>)
func.func @main() {
  %m = memref.alloc() : memref<8xi64>
  %a = arith.constant 11 : i64
  %b = arith.constant -3 : i64
  affine.for %i = 0 to 8 {
    affine.if #s(%i) {
      affine.store %a, %m[%i] : memref<8xi64>
    } else {
      affine.store %b, %m[7 - %i + %i - 7 + %i] : memref<8xi64>
    }
  }
  %u = memref.cast %m : memref<8xi64> to memref<*xi64>
  call @printMemrefI64(%u) : (memref<*xi64>) -> ()
  return
}
