// The result is the last value inside of the loop. One of mlir-opt's test passes.
// VERDICT: miscompile test-scf-uplift-while-to-for
// PIPELINE: --test-scf-uplift-while-to-for
func.func @main() -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %r = scf.while (%iv = %c0) : (index) -> index {
    %continue = arith.cmpi slt, %iv, %c5 : index
    scf.condition(%continue) %iv : index
  } do {
  ^bb0(%i: index):
    %n = arith.addi %i, %c2 : index
    scf.yield %n : index
  }
  return %r : index
}
