// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-reference-check-reshapes))' | FileCheck %s

// In all code.
// CHECK-LABEL: func.func @cast
// CHECK:         scf.forall
// CHECK:           mica_sched.check_reshape same_sizes sizes(%{{.*}}) : tensor<?xf32> to : tensor<4xf32>
// CHECK-NEXT:      tensor.cast
func.func @cast(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%o = %y) -> tensor<4xf32> {
    %c = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @shift
// CHECK:         mica_check.failed "arith.shli: shift by a number of bits outside the type's width"(%c32{{.*}} : i32)
// CHECK:         arith.shli %arg0, %c32
// CHECK-NOT:     mica_check.failed
// CHECK:         arith.shli %{{.*}}, %c31
func.func @shift(%x: i32) -> i32 {
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %0 = arith.shli %x, %c32 : i32
  %1 = arith.shli %0, %c31 : i32
  return %1 : i32
}

// A number that nothing sees, or that a select leaves, may be anything.
// MUTATION: stays green, there is nothing to check.
// CHECK-LABEL: func.func @shift_unseen
// CHECK-NOT:     mica_check.failed
// CHECK:         arith.select
// CHECK-NOT:     mica_check.failed
func.func @shift_unseen(%x: i32, %c: i1) -> i32 {
  %c32 = arith.constant 32 : i32
  %0 = arith.shli %x, %c32 : i32
  %1 = arith.addi %0, %x : i32
  %2 = arith.select %c, %x, %1 : i32
  return %2 : i32
}

// Values, and the element in the body of a structured op.
// CHECK-LABEL: func.func @division
// CHECK:         linalg.generic
// CHECK:           linalg.index 0
// CHECK:           scf.if
// CHECK:             mica_check.failed "arith.divsi: integer division by zero, or one that overflows, arith.divsi({0}, {1}), at element [{2}] of its result"(%[[X:.*]], %[[Y:.*]], %{{.*}} : i32, i32, index)
// CHECK:           arith.divsi %[[X]], %{{.*}} : i32
func.func @division(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %q = arith.divsi %a, %b : i32
    linalg.yield %q : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// The first lane that fails.
// CHECK-LABEL: func.func @lanes
// CHECK:         scf.for %[[LANE:.*]] = %c0{{.*}} to %c4
// CHECK:           vector.extract %{{.*}}[%[[LANE]]] : i1 from vector<4xi1>
// CHECK:             mica_check.failed "arith.divui: integer division by zero"(%{{.*}}, %{{.*}} : i32, i32)
func.func @lanes(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %q = arith.divui %x, %y : vector<4xi32>
  return %q : vector<4xi32>
}
