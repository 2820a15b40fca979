// Branches to loops and back.
// VERDICT: same
// PIPELINE: --convert-scf-to-cf --lift-cf-to-scf --canonicalize --lower-affine --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --lower-affine --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-math-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
func.func @main() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  cf.br ^a(%c0, %c0 : i32, i32)
^a(%i: i32, %s: i32):
  %c = arith.cmpi slt, %i, %c5 : i32
  cf.cond_br %c, ^b, ^d
^b:
  %n = arith.addi %i, %c1 : i32
  %t = arith.addi %s, %i : i32
  %odd = arith.andi %i, %c1 : i32
  %o = arith.cmpi eq, %odd, %c1 : i32
  cf.cond_br %o, ^a(%n, %t : i32, i32), ^e(%n, %t : i32, i32)
^e(%x: i32, %y: i32):
  %y2 = arith.muli %y, %c5 : i32
  cf.br ^a(%x, %y2 : i32, i32)
^d:
  vector.print %s : i32
  return
}
