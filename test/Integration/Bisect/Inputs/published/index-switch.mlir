// The number is truncated to 32 bits.
// VERDICT: miscompile convert-scf-to-cf
// PIPELINE: --convert-scf-to-cf
// FLAGS: --entry=f --input=4294967296
func.func @f(%i: index) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %0 = scf.index_switch %i -> i64
  case 0 { scf.yield %c1 : i64 }
  default { scf.yield %c2 : i64 }
  return %0 : i64
}
