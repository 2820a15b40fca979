// The peeled iteration is done, though the loop has none.
// VERDICT: miscompile scf-for-loop-peeling
// PIPELINE: builtin.module(func.func(scf-for-loop-peeling))
// FLAGS: --entry=f --input=5 --input=2
func.func @f(%lb: index, %ub: index) -> i32 {
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %lb to %ub step %c4 iter_args(%a = %z) -> (i32) {
    %n = arith.addi %a, %one : i32
    scf.yield %n : i32
  }
  return %r : i32
}
