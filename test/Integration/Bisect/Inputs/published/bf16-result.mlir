// Results of narrow floats, a vector, i1 and i8.
// VERDICT: same
// PIPELINE: --arith-expand=include-bf16=true --canonicalize
// FLAGS: --entry=f
func.func @f(%a: bf16, %b: f16, %v: vector<4xbf16>) -> (bf16, f16, vector<4xbf16>, i1, i8) {
  %0 = arith.extf %a : bf16 to f32
  %1 = arith.extf %b : f16 to f32
  %2 = arith.mulf %0, %1 : f32
  %3 = arith.truncf %2 : f32 to bf16
  %4 = arith.addf %b, %b : f16
  %5 = arith.mulf %v, %v : vector<4xbf16>
  %6 = arith.cmpf olt, %a, %3 : bf16
  %7 = arith.fptosi %2 : f32 to i8
  return %3, %4, %5, %6, %7 : bf16, f16, vector<4xbf16>, i1, i8
}
