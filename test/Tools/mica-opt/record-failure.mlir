// A pass that fails leaves its state in generic form, its input, and the one command that shows the failure again.
// RUN: rm -rf %t && not mica-opt %s --record=%t --pass-pipeline='builtin.module(cse,builtin.module(mica-tensor-verify-input))' 2> %t.err
// RUN: FileCheck %s --check-prefix=ERR --input-file=%t.err
// RUN: FileCheck %s --check-prefix=STATE --input-file=%t/0002_mica-tensor-verify-input@k.failed.mlir
// RUN: FileCheck %s --check-prefix=INDEX --input-file=%t/index.json
// RUN: not sh %t/repro/run.sh 2>&1 | FileCheck %s --check-prefix=ERR2

// ERR: error: op 'memref.realloc' is not supported as input
// ERR: mica-opt: error: pass mica-tensor-verify-input (2) on k failed; its input is {{.*}}/repro/input.mlir
// ERR-NEXT: the pass alone: cd {{.*}} && mica-opt repro/input.mlir --pass-pipeline='builtin.module(mica-tensor-verify-input{{.*}})'
// STATE: "memref.realloc"
// INDEX: "failure":{
// INDEX-SAME: "position":2,
// INDEX-SAME: "pass":"mica-tensor-verify-input",
// INDEX-SAME: "op":"k",
// ERR2: error: op 'memref.realloc' is not supported as input

// The whole program after nested passes changed parts of it is put together for the reproducer.
// RUN: rm -rf %t && not mica-opt %s --record=%t --pass-pipeline='builtin.module(func.func(canonicalize),mica-tensor-verify-input)' -o /dev/null 2> %t.err
// RUN: FileCheck %s --check-prefix=WHOLE --input-file=%t/repro/input.mlir
// WHOLE: sym_name = "f"
// WHOLE-NOT: arith.addi
// WHOLE: sym_name = "k"

func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  return %0 : i32
}
module @k {
  func.func @k(%m: memref<4xf32>) -> memref<8xf32> {
    %0 = memref.realloc %m : memref<4xf32> to memref<8xf32>
    return %0 : memref<8xf32>
  }
}
