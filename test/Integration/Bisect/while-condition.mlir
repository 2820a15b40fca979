// A report of others: the canonicalization of scf.while mixes up two equal operands of scf.condition.
// RUN: not mica-bisect %s --no-report --pipeline='--canonicalize --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts' | FileCheck %s
// CHECK: verdict: miscompile: canonicalize (pass 1 of
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c40 = arith.constant 40 : index
  %r:3 = scf.while (%s = %c0) : (index) -> (index, index, index) {
    %go = arith.cmpi slt, %s, %c1 : index
    %v = scf.if %go -> index {
      %n = arith.addi %s, %c3 : index
      scf.yield %n : index
    } else {
      scf.yield %c40 : index
    }
    scf.condition(%go) %v, %v, %s : index, index, index
  } do {
  ^bb0(%first: index, %second: index, %old: index):
    scf.yield %second : index
  }
  vector.print %r#2 : index
  return
}
