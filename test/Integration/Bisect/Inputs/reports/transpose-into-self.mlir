// PIPELINE: --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %t = arith.constant true
  %a = arith.constant 11 : i64
  %b = arith.constant 22 : i64
  %c = arith.constant 33 : i64
  %d = arith.constant 44 : i64
  %e = tensor.from_elements %a, %b, %c, %d : tensor<2x2xi64>
  %x = tensor.cast %e : tensor<2x2xi64> to tensor<?x?xi64>
  %s = scf.if %t -> tensor<?x?xi64> {
    scf.yield %x : tensor<?x?xi64>
  } else {
    scf.yield %x : tensor<?x?xi64>
  }
  %r = linalg.transpose ins(%s : tensor<?x?xi64>) outs(%x : tensor<?x?xi64>) permutation = [1, 0]
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %p = tensor.extract %r[%i0, %i1] : tensor<?x?xi64>
  %q = tensor.extract %r[%i1, %i0] : tensor<?x?xi64>
  vector.print %p : i64
  vector.print %q : i64
  return
}
