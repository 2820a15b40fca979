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
