// A product that is not rounded.
// VERDICT: rounding
// PIPELINE: --math-uplift-to-fma
// FLAGS: --entry=f --input=0.1 --input=10.0 --input=-1.0
func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.mulf %a, %b fastmath<contract> : f32
  %1 = arith.addf %0, %c fastmath<contract> : f32
  return %1 : f32
}
