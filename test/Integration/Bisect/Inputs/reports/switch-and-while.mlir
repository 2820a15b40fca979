// PIPELINE: --scf-for-to-while --canonicalize --lift-cf-to-scf --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-math-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts
// VERDICT: same
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %z) -> i32 {
    %v = scf.index_switch %i -> i32
    case 2 {
      %k = arith.constant 100 : i32
      scf.yield %k : i32
    }
    case 4 {
      %k = arith.constant -7 : i32
      scf.yield %k : i32
    }
    default {
      %k = arith.index_cast %i : index to i32
      scf.yield %k : i32
    }
    %t = arith.addi %s, %v : i32
    vector.print %t : i32
    scf.yield %t : i32
  }
  %w = scf.while (%a = %r) : (i32) -> i32 {
    %k = arith.constant 10 : i32
    %p = arith.cmpi sgt, %a, %k : i32
    scf.condition(%p) %a : i32
  } do {
  ^bb0(%a: i32):
    %k = arith.constant 3 : i32
    %b = arith.divsi %a, %k : i32
    scf.yield %b : i32
  }
  vector.print %w : i32
  return
}
