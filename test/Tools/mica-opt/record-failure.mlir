// A pass that fails leaves its state in generic form, its input, and the one command that shows the failure again.
// RUN: rm -rf %t && not mica-opt %s --record=%t --pass-pipeline='builtin.module(cse,builtin.module(mica-verify-input))' 2> %t.err
// RUN: FileCheck %s --check-prefix=ERR --input-file=%t.err
// RUN: FileCheck %s --check-prefix=STATE --input-file=%t/0002_mica-verify-input@k.failed.mlir
// RUN: FileCheck %s --check-prefix=INDEX --input-file=%t/index.json
// RUN: not sh %t/repro/run.sh 2>&1 | FileCheck %s --check-prefix=ERR2

// ERR: error: op 'memref.realloc' is not taken on input
// ERR: the pass that failed alone: cd {{.*}} && mica-opt repro/input.mlir --pass-pipeline='builtin.module(builtin.module(mica-verify-input{{.*}}))'
// STATE: "memref.realloc"
// INDEX: "failure": {
// INDEX-NEXT: "position": 2,
// INDEX-NEXT: "pass": "mica-verify-input",
// INDEX-NEXT: "op": "k",
// ERR2: error: op 'memref.realloc' is not taken on input

func.func @f() {
  return
}
module @k {
  func.func @k(%m: memref<4xf32>) -> memref<8xf32> {
    %0 = memref.realloc %m : memref<4xf32> to memref<8xf32>
    return %0 : memref<8xf32>
  }
}
