// Annotations of sdy are kept as text, and removed with the types of stablehlo that mica lacks: they do not change what is computed.

// RUN: mica-opt %s | mica-opt | FileCheck %s
// RUN: mica-opt %s --mlir-print-op-generic | mica-opt | FileCheck %s
// RUN: mica-opt %s --legalize-stablehlo-types 2>%t.err | FileCheck %s --check-prefix=REMOVED
// RUN: FileCheck %s --check-prefix=REFUSED < %t.err

// REFUSED: warning: 'sdy.manual_computation' op is not supported in this form: it has to be all of its function, manual along all axes of its mesh
// REMOVED-NOT: sdy.
// REMOVED: func.func public @main(%[[X:.*]]: tensor<8x8xf32>) -> (tensor<8x8xf32> {jax.result_info = "r"})
// REMOVED-NEXT: stablehlo.add %[[X]], %[[X]] : tensor<8x8xf32>
// REMOVED-NEXT: return
// REMOVED-NOT: sdy.

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK: sdy.mesh @one = <[], device_ids=[0]>
sdy.mesh @one = <[], device_ids=[0]>

// CHECK: func.func public @main(%[[X:.*]]: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {jax.result_info = "r", sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {?}], replicated={"y":(1)2}>})
func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {jax.result_info = "r", sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {?}], replicated={"y":(1)2}>}) {
  // CHECK: %[[S:.*]] = sdy.sharding_constraint %[[X]] <@mesh, [{"x"}, {"y", ?}p2]> : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {"y", ?}p2]> : tensor<8x8xf32>
  // CHECK: stablehlo.add %[[S]], %[[S]] {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{}, {}]>]>} : tensor<8x8xf32>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{}, {}]>]>} : tensor<8x8xf32>
  // CHECK: sdy.sharding_group %{{.*}} group_id = 0 : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=0 : tensor<8x8xf32>
  // CHECK: sdy.reshard %{{.*}} <@mesh, [{}, {}]> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{}, {}]> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

func.func @parts(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // CHECK: sdy.manual_computation(%{{.*}}) in_shardings = [<@mesh, [{"x", ?}, {?}]>] out_shardings = [<@mesh, [{"x", ?}, {?}]>] manual_axes = {"x"} (%[[P:.*]]: tensor<8x32xf32>) {
  // CHECK-NEXT: stablehlo.add %[[P]], %[[P]]
  // CHECK-NEXT: sdy.return
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%p: tensor<8x32xf32>) {
    %1 = stablehlo.add %p, %p : tensor<8x32xf32>
    sdy.return %1 : tensor<8x32xf32>
  } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
