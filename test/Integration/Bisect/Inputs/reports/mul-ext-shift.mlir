// PIPELINE: --canonicalize --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
memref.global "private" @g : memref<2xi32> = dense<[-1294967296, 1500000000]>
func.func @main() {
  %g = memref.get_global @g : memref<2xi32>
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %a = memref.load %g[%z] : memref<2xi32>
  %b = memref.load %g[%o] : memref<2xi32>
  %x = arith.extui %a : i32 to i33
  %y = arith.extui %b : i32 to i33
  %m = arith.muli %x, %y : i33
  %c = arith.constant 1 : i33
  %s = arith.shrui %m, %c : i33
  %h = arith.trunci %s : i33 to i32
  vector.print %h : i32
  %t = arith.cmpi slt, %a, %b : i32
  %lo, %hi = arith.mulsi_extended %t, %t : i1
  vector.print %lo : i1
  vector.print %hi : i1
  return
}
