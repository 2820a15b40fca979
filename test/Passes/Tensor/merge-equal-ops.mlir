// Ops with regions are merged where these are equal, also among more of them than upstream's driver may compare.
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-tensor-merge-equal-ops))' | FileCheck %s
// RUN: %python -c "print('func.func @many(%%c: i1, %%x: f32) -> f32 {\n' + ''.join(f'%%{i} = scf.if %%c -> (f32) {{\n %%a = arith.addf %%x, {chr(37)}{\"x\" if i in (0, 20) else i - 1} : f32\n scf.yield %%a : f32\n}} else {{\n scf.yield %%x : f32\n}}\n' for i in range(21)) + '%%s = arith.addf %%19, %%20 : f32\nreturn %%s : f32\n}')" > %t.mlir
// RUN: mica-opt %t.mlir --pass-pipeline='builtin.module(func.func(mica-tensor-merge-equal-ops))' | FileCheck %s --check-prefix=MANY

// The 21st is equal to the first.
// MANY-LABEL: @many
// MANY: %[[FIRST:.*]] = scf.if
// MANY-COUNT-19: scf.if
// MANY-NOT: scf.if
// MANY: arith.addf %{{.*}}, %[[FIRST]] : f32
// MANY-NOT: mica.apart

// CHECK-LABEL: @two
// CHECK: %[[IF:.*]] = scf.if
// CHECK-NOT: scf.if
// CHECK: arith.addf %[[IF]], %[[IF]]
func.func @two(%c: i1, %x: f32) -> f32 {
  %0 = scf.if %c -> (f32) {
    %a = math.exp %x : f32
    scf.yield %a : f32
  } else {
    scf.yield %x : f32
  }
  %1 = scf.if %c -> (f32) {
    %a = math.exp %x : f32
    scf.yield %a : f32
  } else {
    scf.yield %x : f32
  }
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
