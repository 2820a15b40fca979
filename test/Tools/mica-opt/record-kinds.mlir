// The record counts by name what each pass added, removed and changed.
// RUN: rm -rf %t && mica-opt %s --record=%t -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(cse,canonicalize,convert-arith-to-llvm),symbol-dce)'
// RUN: FileCheck %s --input-file=%t/index.json
// With any number of threads it is the same.
// RUN: rm -rf %t.one && mica-opt %s --record=%t.one -o /dev/null --mlir-disable-threading \
// RUN:   --pass-pipeline='builtin.module(func.func(cse,canonicalize,convert-arith-to-llvm),symbol-dce)'
// RUN: sh -c 'for t in %t %t.one; do sed "s/\"ms\":[^,]*,//g" $t/index.json > $t/same.json; done'
// RUN: cmp %t/same.json %t.one/same.json

// CHECK: {"position":1,"op":"removes"{{.*}}"kind_changes":{"math.exp":[0,1,0]}
// CHECK: {"position":2,"op":"folds"{{.*}}"kind_changes":{"arith.addi":[0,1,0],"arith.constant":[0,1,1]}
// CHECK: {"position":3,"op":"removes"{{.*}}"kind_changes":{"arith.addf":[0,1,0],"llvm.fadd":[1,0,0]}
// The program was last seen in parts, which add up.
// CHECK: {"position":4,"op":""{{.*}}"kind_changes":{"func.func":[0,1,0],"func.return":[0,1,0]}
func.func @removes(%a: f32) -> f32 {
  %0 = math.exp %a : f32
  %1 = math.exp %a : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
func.func @folds() -> i32 {
  %0 = arith.constant 2 : i32
  %1 = arith.constant 3 : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
func.func private @unused() {
  return
}
