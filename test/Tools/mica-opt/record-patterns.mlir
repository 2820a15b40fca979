// --dump-passes=patterns lists which pattern changed which op.
// RUN: rm -rf %t && mica-opt %s --record=%t --dump-passes=patterns -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(mica-tensor-assign-ids,func.func(canonicalize,convert-arith-to-llvm),cse)'
// RUN: FileCheck %s --check-prefix=GREEDY --input-file=%t/0002_canonicalize@f.patterns.json
// RUN: FileCheck %s --check-prefix=CONVERSION --input-file=%t/0003_convert-arith-to-llvm@f.patterns.json
// RUN: FileCheck %s --check-prefix=INDEX --input-file=%t/index.json
// Nothing was applied to @g, and cse has no patterns.
// RUN: not ls %t/0002_canonicalize@g.patterns.json
// RUN: not ls %t/0004_cse.patterns.json

// GREEDY: "pattern":"{{.*}}AddI{{.*}}","op":"arith.addi","ops_before":{{[0-9]+}},"ops_after":{{[0-9]+}},"ids":["{{[0-9a-f]+}}"],"sources":["{{.*}}record-patterns.mlir:[[#@LINE+14]]:8"]
// CONVERSION: "pattern":"{{.*}}arith::AddIOp{{.*}}","op":"arith.addi"
// INDEX: "mode":"patterns"
// INDEX: "patterns":"0002_canonicalize@f.patterns.json"

// What listens to the same actions already is named.
// RUN: not mica-opt %s --record=%t --dump-passes=patterns --canonicalize --log-actions-to=%t.log -o /dev/null 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: mica-opt: error: patterns cannot be recorded while another flag

func.func @f(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  // (x + 3) + 4 is x + 7
  %0 = arith.addi %x, %c3 : i32
  %1 = arith.addi %0, %c4 : i32
  return %1 : i32
}
func.func @g(%x: i32) -> i32 {
  return %x : i32
}
