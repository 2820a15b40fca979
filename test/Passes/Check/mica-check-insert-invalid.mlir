// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-insert{level=most}))' --verify-diagnostics

// expected-error @+1 {{mica-check-insert: unknown level 'most'; the levels are none, divisions, warn, safe and all}}
func.func @f() {
  return
}
