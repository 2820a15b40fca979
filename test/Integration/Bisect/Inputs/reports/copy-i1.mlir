// PIPELINE: --convert-linalg-to-loops --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() -> i32 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %t = arith.constant true
  %f = arith.constant false
  %a = memref.alloc() : memref<11xi1>
  linalg.fill ins(%t : i1) outs(%a : memref<11xi1>)
  %b = memref.alloc() : memref<11xi1>
  linalg.fill ins(%f : i1) outs(%b : memref<11xi1>)
  memref.copy %b, %a : memref<11xi1> to memref<11xi1>
  %n = memref.dim %a, %i0 : memref<11xi1>
  %s = scf.for %k = %i0 to %n step %i1 iter_args(%c = %f) -> (i1) {
    %x = memref.load %a[%k] : memref<11xi1>
    vector.print %x : i1
    %y = arith.addi %c, %x : i1
    scf.yield %y : i1
  }
  %r = arith.extui %s : i1 to i32
  return %r : i32
}
