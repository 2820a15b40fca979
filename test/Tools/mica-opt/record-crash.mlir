// A pass that ends the process, or does not come back, leaves its input on the disk, an index that says so, and the command.
// RUN: rm -rf %t && mkdir %t
// RUN: not --crash mica-opt %s --load-pass-plugin=%planted --record=%t/abort \
// RUN:   --pass-pipeline='builtin.module(cse,func.func(canonicalize,test-abort))' 2> %t/abort.err
// RUN: FileCheck %s --check-prefix=ERR --input-file=%t/abort.err
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/abort.err
// RUN: mica-opt %t/abort/0002_canonicalize@f.mlir | FileCheck %s --check-prefix=INPUT
// RUN: %python -m json.tool %t/abort/index.json | FileCheck %s --check-prefix=INDEX
// RUN: not --crash sh %t/abort/repro/run.sh 2>&1 | FileCheck %s --check-prefix=ALONE

// ERR: mica-opt: error: pass test-abort (3) on f crashed; its input is {{.*}}/abort/0002_canonicalize@f.mlir
// ERR-NEXT: the pass alone: mica-opt --resume={{.*}}/abort:2 --load-pass-plugin={{.*}} --pass-pipeline='builtin.module(func.func(test-abort))'
// REPORT: PLEASE report this crash to Mica
// INPUT: func.func @f
// INPUT-NOT: arith.addi
// INDEX: "position": 3,
// INDEX-NEXT: "pass": "test-abort",
// INDEX: "op": "f",
// INDEX: "file": "0002_canonicalize@f.mlir"
// INDEX: "failure": {
// INDEX-NEXT: "position": 3,
// INDEX-NEXT: "pass": "test-abort",
// INDEX-NEXT: "op": "f",
// INDEX-NEXT: "input": "0002_canonicalize@f.mlir",
// INDEX: "how": "crashed"
// ALONE: MicaPlantedPasses.so

// The end of the stack, where the handler has a stack of its own only.
// RUN: not --crash mica-opt %s --load-pass-plugin=%planted --record=%t/stack --pass-pipeline='builtin.module(func.func(test-overflow-stack))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STACK
// RUN: %python -m json.tool %t/stack/index.json | FileCheck %s --check-prefix=HOW
// STACK: mica-opt: error: pass test-overflow-stack (1) on f crashed; its input is {{.*}}/stack/0000_input.mlir
// HOW: "how": "crashed"

// A limit of time.
// RUN: %python %S/../mica-compile/Inputs/expect_exit.py 4 mica-opt %s --load-pass-plugin=%planted --record=%t/loop --pass-time-limit=0.3 \
// RUN:   --pass-pipeline='builtin.module(cse,test-loop)' 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: mica-opt: error: pass test-loop (2) ran for longer than 0.3 s; its input is {{.*}}/loop/0000_input.mlir
// RUN: %python -m json.tool %t/loop/index.json | FileCheck %s --check-prefix=LIMIT
// LIMIT: "how": "ran for longer than 0.3 s"

// The whole program after nested passes changed parts of it is no file; the command puts it together.
// RUN: not --crash mica-opt %s --load-pass-plugin=%planted --record=%t/whole --pass-pipeline='builtin.module(func.func(canonicalize),test-abort)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WHOLE
// WHOLE: mica-opt: error: pass test-abort (2) crashed; its input is the state --resume={{.*}}/whole:1
// RUN: mica-opt --resume=%t/whole:1 --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=INPUT

func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  return %0 : i32
}
func.func @g(%x: i32) -> i32 attributes {test.spare} {
  return %x : i32
}
