// Complex numbers that nothing wrote.
// VERDICT: undefined behavior in the program memref.alloc
// PIPELINE: --canonicalize
func.func @main() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xcomplex<f32>>
  %e = memref.load %m[%c0] : memref<2xcomplex<f32>>
  %a = complex.re %e : complex<f32>
  vector.print %a : f32
  return
}
