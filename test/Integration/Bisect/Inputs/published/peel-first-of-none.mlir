// The peeled iteration is done, though the loop has none.
// VERDICT: miscompile scf-for-loop-peeling
// PIPELINE: builtin.module(func.func(scf-for-loop-peeling{peel-front=true}))
memref.global "private" @n : memref<1xindex> = dense<0>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.get_global @n : memref<1xindex>
  %n = memref.load %g[%c0] : memref<1xindex>
  scf.for %i = %c0 to %n step %c1 {
    vector.print %i : index
  }
  vector.print %n : index
  return
}
