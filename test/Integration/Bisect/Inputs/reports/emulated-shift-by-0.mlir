// The emulation shifts the upper half by 64.
// VERDICT: miscompile arith-emulate-wide-int
// PIPELINE: --arith-emulate-wide-int=widest-int-supported=64
func.func @main() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xi64>
  %z = arith.constant 0 : i64
  memref.store %z, %m[%c0] : memref<1xi64>
  %s = memref.load %m[%c0] : memref<1xi64>
  %a = arith.constant 170141183460469231731687303715884105727 : i128
  %sa = arith.extui %s : i64 to i128
  %b = arith.addi %a, %sa : i128
  %k = arith.constant 3 : i128
  %b2 = arith.shrui %b, %k : i128
  %f = arith.shrui %b2, %sa : i128
  %g = arith.trunci %f : i128 to i64
  vector.print %g : i64
  %c64 = arith.constant 64 : i128
  %h = arith.shrui %f, %c64 : i128
  %i = arith.trunci %h : i128 to i64
  vector.print %i : i64
  return
}
