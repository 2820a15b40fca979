// RUN: mica-opt %s --mica-tensor-apply-transforms | FileCheck %s --check-prefixes=CHECK,REMOVED
// RUN: mica-opt %s --mica-tensor-apply-transforms=entry=__transform_main | FileCheck %s --check-prefixes=CHECK,APPLIED

// CHECK: {{^}}module {
module attributes {transform.with_named_sequence} {
  // REMOVED-NOT: scf.for
  // APPLIED: scf.for
  // CHECK: linalg.exp
  // CHECK-NOT: transform
  func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.exp {transform.target_tag = "exp"} ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  module @script attributes {transform.with_named_sequence} {
    transform.named_sequence @unused(%root: !transform.any_op {transform.readonly}) {
      transform.yield
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %2 = transform.structured.tile_using_for %0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
