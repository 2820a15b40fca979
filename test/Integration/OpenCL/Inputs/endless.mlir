// Without end if %step is 0.
func.func @f(%x: memref<4xi64>, %step: i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %end = arith.constant 1000 : i64
  %r = scf.while (%i = %zero) : (i64) -> i64 {
    %c = arith.cmpi slt, %i, %end : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %0 = memref.load %x[%c0] : memref<4xi64>
    %1 = arith.muli %0, %step : i64
    memref.store %1, %x[%c0] : memref<4xi64>
    %2 = arith.addi %i, %1 : i64
    scf.yield %2 : i64
  }
  return
}
