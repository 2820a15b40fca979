// The record: numbers are positions in the pipeline, unchanged passes have no file, nested ops have files of their own.
// RUN: rm -rf %t && mica-opt %s --record=%t -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(mica-tensor-assign-ids,canonicalize,builtin.module(cse,func.func(canonicalize{max-iterations=3})),cse)'
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=INDEX --input-file=%t/index.json
// RUN: FileCheck %s --check-prefix=LAYER --input-file=%t/0003_cse@k.mlir
// RUN: FileCheck %s --check-prefix=MAP --input-file=%t/0003_cse@k.mlir.map.json

// A layer alone runs through the rest by hand, and gets its ids back from its map.
// RUN: mica-opt %t/0003_cse@k.mlir --mica-check-ids --pass-pipeline='builtin.module(canonicalize)' 2>&1 | FileCheck %s --check-prefix=AGAIN
// An edited one too: lines are found by their text.
// RUN: sed -i '1i // a line more' %t/0003_cse@k.mlir
// RUN: mica-opt %t/0003_cse@k.mlir --mica-check-ids --pass-pipeline='builtin.module(canonicalize)' 2>&1 | FileCheck %s --check-prefix=AGAIN

// The state after pass 3 is the program with the kernel's later layer in its place; the rest of the pipeline follows.
// RUN: mica-opt --resume=%t:3 -o %t.resumed
// RUN: mica-opt %s --pass-pipeline='builtin.module(mica-tensor-assign-ids,canonicalize,builtin.module(cse,func.func(canonicalize{max-iterations=3})),cse)' | diff - %t.resumed

// FILES:      0000_input.mlir
// FILES-NEXT: 0000_input.mlir.map.json
// FILES-NEXT: 0001_mica-tensor-assign-ids.mlir
// FILES-NEXT: 0001_mica-tensor-assign-ids.mlir.map.json
// FILES-NEXT: 0003_cse@k.mlir
// FILES-NEXT: 0003_cse@k.mlir.map.json
// FILES-NEXT: 0005_cse.mlir
// FILES-NEXT: 0005_cse.mlir.map.json
// FILES-NEXT: constants.bin
// FILES-NEXT: constants.json
// FILES-NEXT: index.json

// INDEX: "input":"0000_input.mlir"
// INDEX: "position":4,
// INDEX-SAME: "pass":"canonicalize",
// INDEX-SAME: "options":"{{.*}}max-iterations=3
// INDEX-SAME: "anchor":"builtin.module(builtin.module(func.func))"}
// INDEX: "records"
// INDEX: {"position":2,"op":"","ms":{{[^,]+}},"changed":false,
// INDEX: {"position":3,"op":"k","ms":{{[^,]+}},"changed":true,"file":"0003_cse@k.mlir","ops_before":6,"ops_after":5,"kinds":{"arith.addf":1,"arith.mulf":1,"builtin.module":1,

// LAYER: module @k
// LAYER-NOT: loc(
// MAP: "ids":["{{[0-9a-f]+}}"],"sources":["{{.*}}record.mlir:[[#]]:[[#]]"]
// AGAIN: 2 of 2 ops carry ids

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense_resource<w> : tensor<4xf32>
  %0 = arith.addf %x, %w : tensor<4xf32>
  %1 = arith.addf %x, %w : tensor<4xf32>
  %2 = arith.mulf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
module @k {
  func.func @k(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = arith.addf %x, %x : tensor<4xf32>
    %1 = arith.addf %x, %x : tensor<4xf32>
    %2 = arith.mulf %0, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
{-#
  dialect_resources: { builtin: { w: "0x400000000000803F0000803F0000803F0000803F" } }
#-}
