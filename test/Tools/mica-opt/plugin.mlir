// The stock mlir-opt of the same LLVM package takes Mica's dialects and passes as plugins.
// RUN: mlir-opt --load-dialect-plugin=%mica_build/lib/MicaPlugin.so --load-pass-plugin=%mica_build/lib/MicaPlugin.so \
// RUN:   --pass-pipeline='builtin.module(mica-tensor-assign-ids)' --mlir-print-debuginfo %s | FileCheck %s

// CHECK-LABEL: func.func @plugin_assigns_ids
func.func @plugin_assigns_ids(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: fused<"mica.op:
