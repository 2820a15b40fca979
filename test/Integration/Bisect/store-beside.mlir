// A report of others that is undefined behavior: vector.store of five elements into rows of one.
// RUN: not mica-bisect %s --no-report --pipeline='builtin.module(convert-vector-to-scf,convert-vector-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)' | FileCheck %s

// CHECK: verdict: undefined behavior in the program: position (0, 1) is out of range for 5x1xi32 at {{.*}}store-beside.mlir:[[# @LINE + 5]]:3
func.func @main() {
  %m = memref.alloc() : memref<5x1xi32>
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<[1, 2, 3, 4, 5]> : vector<5xi32>
  vector.store %v, %m[%c0, %c0] : memref<5x1xi32>, vector<5xi32>
  %r = vector.load %m[%c0, %c0] : memref<5x1xi32>, vector<1xi32>
  vector.print %r : vector<1xi32>
  return
}
