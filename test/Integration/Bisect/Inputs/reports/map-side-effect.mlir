// PIPELINE: --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %i = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32>
  %one = arith.constant 1 : i32
  memref.store %one, %m[%i] : memref<4xi32>
  %f = arith.constant false
  %s = tensor.splat %f : tensor<3x3x1xi1>
  %o = tensor.splat %f : tensor<3x3x1xi1>
  %r = linalg.map ins(%s, %s : tensor<3x3x1xi1>, tensor<3x3x1xi1>) outs(%o : tensor<3x3x1xi1>) (%a: i1, %b: i1, %c: i1) {
    %ten = arith.constant 10 : i32
    memref.store %ten, %m[%i] : memref<4xi32>
    linalg.yield %f : i1
  }
  %v = memref.load %m[%i] : memref<4xi32>
  vector.print %v : i32
  memref.dealloc %m : memref<4xi32>
  return
}
