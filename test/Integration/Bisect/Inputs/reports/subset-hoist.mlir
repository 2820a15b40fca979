// PIPELINE: --loop-invariant-subset-hoisting
// VERDICT: same
func.func @main() {
  %i1 = index.constant 1
  %i0 = index.constant 0
  %z = arith.constant 0.0 : f16
  %m = memref.alloc() : memref<7x7xf16>
  linalg.fill ins(%z : f16) outs(%m : memref<7x7xf16>)
  %r = scf.for %k = %i0 to %i1 step %i1 iter_args(%a = %m) -> (memref<7x7xf16>) {
    linalg.copy ins(%m : memref<7x7xf16>) outs(%a : memref<7x7xf16>)
    scf.yield %m : memref<7x7xf16>
  }
  %v = memref.load %r[%i0, %i1] : memref<7x7xf16>
  %w = arith.extf %v : f16 to f32
  vector.print %w : f32
  return
}
