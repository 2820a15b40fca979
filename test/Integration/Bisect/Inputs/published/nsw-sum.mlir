// Two sums become one, with both flags.
// VERDICT: miscompile canonicalize
// PIPELINE: --canonicalize
// FLAGS: --entry=f --input=127
func.func @f(%x: i8) -> i1 {
  %c = arith.constant -100 : i8
  %0 = arith.addi %x, %c overflow<nsw> : i8
  %1 = arith.addi %0, %c overflow<nsw> : i8
  %2 = arith.cmpi sgt, %1, %x : i8
  return %2 : i1
}
