// A loop with a step of 0.
// VERDICT: undefined behavior in the program scf.for
// PIPELINE: --test-scf-pipelining=no-epilogue-peeling
// FLAGS: --entry=f
func.func @f() {
  %c1 = arith.constant 1 : index
  %0 = arith.subi %c1, %c1 : index
  scf.for %i = %c1 to %c1 step %0 {
  }
  return
}
