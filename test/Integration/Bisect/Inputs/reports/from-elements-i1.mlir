// PIPELINE: --one-shot-bufferize=bufferize-function-boundaries --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @sum(%t: tensor<?xi1>) -> i1 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %f = arith.constant false
  %n = tensor.dim %t, %i0 : tensor<?xi1>
  %s = scf.for %k = %i0 to %n step %i1 iter_args(%c = %f) -> (i1) {
    %x = tensor.extract %t[%k] : tensor<?xi1>
    vector.print %x : i1
    %y = arith.addi %c, %x : i1
    scf.yield %y : i1
  }
  return %s : i1
}
func.func @main() {
  %t = arith.constant true
  %f = arith.constant false
  %e = tensor.from_elements %t, %f, %f, %t, %t : tensor<5xi1>
  %c = tensor.cast %e : tensor<5xi1> to tensor<?xi1>
  %s = call @sum(%c) : (tensor<?xi1>) -> i1
  vector.print %s : i1
  return
}
