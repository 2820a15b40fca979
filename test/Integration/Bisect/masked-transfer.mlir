// A report of others: lower-vector-mask on a masked transfer that stands inside vector.mask.
// RUN: not mica-bisect %s --no-report --pipeline='builtin.module(func.func(lower-vector-mask),convert-vector-to-scf,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,reconcile-unrealized-casts)' | FileCheck %s

// CHECK: verdict: miscompile: lower-vector-mask (pass 1 of 11) in @main
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 9 : i32
  %m = memref.alloc() : memref<4xi32>
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  vector.store %v, %m[%c0] : memref<4xi32>, vector<4xi32>
  %inner = vector.create_mask %c2 : vector<4xi1>
  %outer = vector.create_mask %c4 : vector<4xi1>
  %r = vector.mask %outer { vector.transfer_read %m[%c0], %pad, %inner {in_bounds = [true]} : memref<4xi32>, vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  vector.print %r : vector<4xi32>
  return
}
