// A transform script beside the program: it runs where asked to, and the numbers are the same.
// RUN: mica-compile %s --transform --emit=mlir --compile-to=input -o - | FileCheck %s --check-prefix=APPLIED
// RUN: mica-compile %s --emit=mlir --compile-to=input -o - | FileCheck %s --check-prefix=REMOVED
// RUN: mica-run %s --no-cache --transform --check-reference | FileCheck %s
// RUN: mica-run %s --no-cache --check-reference | FileCheck %s
// RUN: mica-run %s --no-cache --transform=parallel --check-reference | FileCheck %s
// RUN: not mica-run %s --no-cache --transform=nothing 2>&1 | FileCheck %s --check-prefix=MISSING

// APPLIED: scf.for
// APPLIED: tensor.extract_slice
// REMOVED-NOT: scf.for
// CHECK: result 0
// MISSING: the transform script '@nothing' is not in the file
module attributes {transform.with_named_sequence} {
  func.func @product(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
    return %0 : tensor<16x32xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %loops:2 = transform.structured.tile_using_for %0 tile_sizes [8, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @parallel(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %loop = transform.structured.tile_using_forall %0 tile_sizes [8, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
