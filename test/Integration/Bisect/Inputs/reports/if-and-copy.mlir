// PIPELINE: --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %t = arith.constant true
  %z = arith.constant 0 : i16
  %o = arith.constant 1 : i16
  %i0 = arith.constant 0 : index
  %i2 = arith.constant 2 : index
  %i5 = arith.constant 5 : index
  %m = memref.alloc() : memref<6xi16>
  linalg.fill ins(%z : i16) outs(%m : memref<6xi16>)
  %v = affine.load %m[%i0] : memref<6xi16>
  %e = tensor.from_elements %v, %v, %v, %v, %v, %v, %v, %v, %v, %v : tensor<5x2xi16>
  %s = scf.if %t -> tensor<5x2xi16> {
    scf.yield %e : tensor<5x2xi16>
  } else {
    scf.yield %e : tensor<5x2xi16>
  }
  %f = tensor.splat %o[%i5, %i2] : tensor<?x?xi16>
  %g = linalg.copy ins(%f : tensor<?x?xi16>) outs(%e : tensor<5x2xi16>) -> tensor<5x2xi16>
  %p = tensor.extract %s[%i0, %i0] : tensor<5x2xi16>
  %q = tensor.extract %g[%i0, %i0] : tensor<5x2xi16>
  vector.print %p : i16
  vector.print %q : i16
  return
}
