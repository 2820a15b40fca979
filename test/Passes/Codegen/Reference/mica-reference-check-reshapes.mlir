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
// CHECK:         cf.assert %false, "shift by a number of bits outside the type's width
// CHECK-NEXT:    arith.shli %arg0, %c32
// CHECK-NOT:     cf.assert
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
// CHECK-NOT:     cf.assert
// CHECK:         arith.select
// CHECK-NOT:     cf.assert
func.func @shift_unseen(%x: i32, %c: i1) -> i32 {
  %c32 = arith.constant 32 : i32
  %0 = arith.shli %x, %c32 : i32
  %1 = arith.addi %0, %x : i32
  %2 = arith.select %c, %x, %1 : i32
  return %2 : i32
}
