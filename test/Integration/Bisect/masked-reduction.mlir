// A report of others: lower-vector-multi-reduction drops the mask of a reduction without dimensions.
// RUN: not mica-bisect %s --no-report --pipeline='--lower-vector-multi-reduction --canonicalize --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata --finalize-memref-to-llvm --convert-func-to-llvm --convert-index-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts' | FileCheck %s
// CHECK: verdict: miscompile: lower-vector-multi-reduction (pass 1 of
func.func @main() {
  %c1 = arith.constant 1 : index
  %m = vector.create_mask %c1, %c1 : vector<3x3xi1>
  %one = arith.constant dense<1> : vector<3x3xi32>
  %r = vector.mask %m { vector.multi_reduction <add>, %one, %one [] : vector<3x3xi32> to vector<3x3xi32> } : vector<3x3xi1> -> vector<3x3xi32>
  %a = vector.extract %r[0, 0] : i32 from vector<3x3xi32>
  vector.print %a : i32
  %b = vector.extract %r[2, 2] : i32 from vector<3x3xi32>
  vector.print %b : i32
  return
}
