// A pass that rejects an op: which layer it read, and which pass made the op. Here arith-expand made the division that the
// next pass but one does not take; in @given it was there from the start.
// RUN: rm -rf %t && split-file %s %t
// RUN: not mica-opt %t/made.mlir --load-pass-plugin=%planted --record=%t/made \
// RUN:   --pass-pipeline='builtin.module(func.func(canonicalize,arith-expand,cse,test-refuse))' 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: not mica-opt %t/given.mlir --load-pass-plugin=%planted --record=%t/given \
// RUN:   --pass-pipeline='builtin.module(func.func(canonicalize,test-refuse))' 2>&1 | FileCheck %s --check-prefix=GIVEN

// MADE: made.mlir:2:8: error: 'arith.divsi' op is not taken by this pass
// MADE-NEXT: %0 = arith.ceildivsi %a, %b : i32
// MADE: mica-opt: error: pass test-refuse (4) on f failed
// MADE: pass test-refuse (4) on f read 000{{[23]}}_{{.*}}@f.mlir; 'arith.divsi', which it rejects, was made by pass arith-expand (2)
// GIVEN: pass test-refuse (2) on f read {{.*}}; 'arith.divsi', which it rejects, is in the input

//--- made.mlir
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.ceildivsi %a, %b : i32
  return %0 : i32
}
//--- given.mlir
func.func @f(%a: i32, %b: i32) -> (i32, i32) {
  %c = arith.constant 1 : i32
  %d = arith.addi %c, %c : i32
  %0 = arith.divsi %a, %b : i32
  return %0, %d : i32, i32
}
