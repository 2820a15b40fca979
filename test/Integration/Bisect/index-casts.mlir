// Reports of others: canonicalize takes a pair of casts from index to i8 and back away, with and without a sign.
// RUN: not mica-bisect %s --entry=signed --no-report --no-reduce --pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=SIGNED
// RUN: not mica-bisect %s --entry=unsigned --no-report --no-reduce --pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=UNSIGNED

// SIGNED: verdict: miscompile: canonicalize (pass 1 of 1) in @signed
// UNSIGNED: verdict: miscompile: canonicalize (pass 1 of 1) in @unsigned
func.func private @large() -> index {
  %m = arith.constant 515 : index
  return %m : index
}
func.func @signed() -> index {
  %0 = call @large() : () -> index
  %1 = arith.index_cast %0 : index to i8
  %2 = arith.index_cast %1 : i8 to index
  return %2 : index
}
func.func @unsigned() -> index {
  %0 = call @large() : () -> index
  %1 = arith.index_castui %0 : index to i8
  %2 = arith.index_castui %1 : i8 to index
  return %2 : index
}
