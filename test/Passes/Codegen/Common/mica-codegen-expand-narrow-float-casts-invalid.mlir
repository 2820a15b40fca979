// MUTATION: stays green, the option is refused before the pass runs.
// RUN: not mica-opt %s -pass-pipeline='builtin.module(func.func(mica-codegen-expand-narrow-float-casts{types=f24}))' 2>&1 | FileCheck %s

// CHECK: error: no 16-bit float 'f24': option types takes f16 and bf16
func.func @nothing() {
  return
}
