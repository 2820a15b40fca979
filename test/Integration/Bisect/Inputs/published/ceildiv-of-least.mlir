// Divisions of the least i8 that round up and down.
// VERDICT: same
// PIPELINE: --canonicalize --arith-expand --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
memref.global "private" @g : memref<2xi8> = dense<[-128, 3]>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.get_global @g : memref<2xi8>
  %a = memref.load %g[%c0] : memref<2xi8>
  %b = memref.load %g[%c1] : memref<2xi8>
  %0 = arith.ceildivsi %a, %b : i8
  %1 = arith.floordivsi %a, %b : i8
  %2 = arith.ceildivui %a, %b : i8
  vector.print %0 : i8
  vector.print %1 : i8
  vector.print %2 : i8
  return
}
