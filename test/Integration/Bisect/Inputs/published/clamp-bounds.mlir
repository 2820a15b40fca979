// The upper bound for every value.
// VERDICT: miscompile math-expand-ops
// PIPELINE: --math-expand-ops=ops=clampf
// FLAGS: --entry=f
func.func @f(%x: f32) -> f32 {
  %l = arith.constant -1.0 : f32
  %h = arith.constant 2.0 : f32
  %r = math.clampf %x to [%l, %h] : f32
  return %r : f32
}
