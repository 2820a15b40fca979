// A report of others: arith-int-range-narrowing narrows a shift by more bits than the narrow type has.
// RUN: not mica-bisect %s --no-report --no-reduce --pipeline='builtin.module(arith-int-range-narrowing{int-bitwidths-supported=32})' | FileCheck %s

// CHECK: verdict: miscompile: arith-int-range-narrowing (pass 1 of 1) in @main
memref.global "private" @v : memref<2xi64> = dense<[36, 5]>
func.func @main() {
  %g = memref.get_global @v : memref<2xi64>
  %z = arith.constant 0 : index
  %a = memref.load %g[%z] : memref<2xi64>
  %mask = arith.constant 63 : i64
  %amount = arith.andi %a, %mask : i64
  %v = arith.constant 9 : i64
  %r = arith.shrsi %v, %amount : i64
  vector.print %r : i64
  return
}
