// A difference cancels near a pole.
// VERDICT: miscompile convert-complex-to-standard
// PIPELINE: --convert-complex-to-standard
func.func @main() {
  %re = arith.constant 1.0e-4 : f32
  %im = arith.constant 1.57079632 : f32
  %z = complex.create %re, %im : complex<f32>
  %t = complex.tanh %z : complex<f32>
  %a = complex.re %t : complex<f32>
  %b = complex.im %t : complex<f32>
  vector.print %a : f32
  vector.print %b : f32
  return
}
