// PIPELINE: --arith-expand --convert-arith-to-llvm --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
memref.global "private" @g : memref<6xi32> = dense<[7, -7, 2, -2, -2147483648, 3]>
func.func @main() {
  %g = memref.get_global @g : memref<6xi32>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %a = affine.load %g[%i] : memref<6xi32>
      %b = affine.load %g[%j] : memref<6xi32>
      %f = arith.floordivsi %a, %b : i32
      %c = arith.ceildivsi %a, %b : i32
      %u = arith.ceildivui %a, %b : i32
      %x = arith.maxui %a, %b : i32
      vector.print %f : i32
      vector.print %c : i32
      vector.print %u : i32
      vector.print %x : i32
    }
  }
  return
}
