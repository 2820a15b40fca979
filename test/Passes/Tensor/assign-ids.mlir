// RUN: mica-opt %s --mica-tensor-assign-ids --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// MUTATION: stays green, doing nothing twice is doing nothing once.
// RUN: mica-opt %s --mica-tensor-assign-ids --mlir-print-debuginfo > %t.once
// RUN: mica-opt %t.once --mica-tensor-assign-ids --mlir-print-debuginfo | diff %t.once -

// The digits are what `printf 'first\nmath.exp\n0' | sha256sum` begins with.
// CHECK-LABEL: func.func @first
func.func @first(%x: tensor<4xf32>) -> tensor<4xf32> {
  // A constant is a value: no id.
  // CHECK: arith.constant {{.*}} loc("{{[^"]*}}":[[#]]:[[#]])
  %c = arith.constant dense<1.0> : tensor<4xf32>
  // CHECK: math.exp %{{.*}} loc(fused<"mica.op:2e087a69e9c7">
  %0 = math.exp %x : tensor<4xf32>
  // CHECK: arith.addf %{{.*}} loc(fused<"mica.op:d502012fb7f0">
  %1 = arith.addf %0, %c : tensor<4xf32>
  // Ordinals count per kind, so the add between does not matter.
  // CHECK: math.exp %{{.*}} loc(fused<"mica.op:92c7d481b4a6">
  %2 = math.exp %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @body_of_a_generic_is_the_generic
func.func @body_of_a_generic_is_the_generic(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    // CHECK: math.exp %{{.*}} loc(fused<"[[ID:mica.op:[0-9a-f]+]]">
    %1 = math.exp %in : f32
    // CHECK: linalg.yield %{{.*}} loc(fused<"[[ID]]">
    linalg.yield %1 : f32
  // CHECK: } -> tensor<4xf32> loc(fused<"[[ID]]">
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @loops_hold_ops_of_their_own
func.func @loops_hold_ops_of_their_own(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    // CHECK: math.exp %{{.*}} loc(fused<"[[EXP:mica.op:[0-9a-f]+]]">
    %1 = math.exp %a : tensor<4xf32>
    // CHECK-NOT: scf.yield {{.*}}[[EXP]]
    // CHECK: scf.yield %{{.*}} loc(fused<"[[FOR:mica.op:[0-9a-f]+]]">
    scf.yield %1 : tensor<4xf32>
  // CHECK: } loc(fused<"[[FOR]]">
  }
  return %r : tensor<4xf32>
}

// A tag of the program, or of the option, moves into the location, below the id; the id is as without.
// RUN: mica-opt %s --pass-pipeline='builtin.module(mica-tensor-assign-ids{tagged=math.ta*,0a1b2c3d4e5f})' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=TAGGED
// CHECK-LABEL: func.func @tagged
// CHECK: math.exp %{{.*}} : tensor<4xf32> loc(fused<"mica.op:{{[0-9a-f]+}}">[fused<"mica_check.dump">["{{[^"]*}}":[[#]]:[[#]]]])
// CHECK: math.tanh %{{.*}} : tensor<4xf32> loc(fused<"mica.op:{{[0-9a-f]+}}">["
// TAGGED-LABEL: func.func @tagged
// TAGGED: math.exp %{{.*}} loc(fused<"mica.op:{{[0-9a-f]+}}">[fused<"mica_check.dump">["
// TAGGED: math.tanh %{{.*}} loc(fused<"mica.op:{{[0-9a-f]+}}">[fused<"mica_check.dump">["
func.func @tagged(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x {mica_check.dump} : tensor<4xf32>
  %1 = math.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
