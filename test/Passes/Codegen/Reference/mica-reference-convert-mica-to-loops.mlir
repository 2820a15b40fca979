// RUN: mica-opt %s --mica-reference-convert-mica-to-loops | FileCheck %s

// One element in f64, rounded once when it is stored; a dimension of size 1 is read at 0.
// CHECK-LABEL: func.func @add(
// CHECK-SAME:    %[[A:.*]]: tensor<?x8xf16>, %[[B:.*]]: tensor<1x8xf16>)
// CHECK-DAG:     %[[X:.*]] = bufferization.to_buffer %[[A]] read_only
// CHECK-DAG:     %[[Y:.*]] = bufferization.to_buffer %[[B]] read_only
// CHECK-DAG:     %[[Z:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?x8xf16>
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             %[[L:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK:             %[[LW:.*]] = arith.extf %[[L]] : f16 to f64
// CHECK:             %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:             %[[R:.*]] = memref.load %[[Y]][%[[ZERO]], %[[J]]]
// CHECK:             %[[RW:.*]] = arith.extf %[[R]] : f16 to f64
// CHECK:             %[[S:.*]] = arith.addf %[[LW]], %[[RW]] : f64
// CHECK:             %[[T:.*]] = arith.truncf %[[S]] : f64 to f16
// CHECK:             memref.store %[[T]], %[[Z]][%[[I]], %[[J]]]
// CHECK:         bufferization.to_tensor %[[Z]] restrict writable
func.func @add(%a: tensor<?x8xf16>, %b: tensor<1x8xf16>) -> tensor<?x8xf16> {
  %0 = mica.add %a, %b : (tensor<?x8xf16>, tensor<1x8xf16>) -> tensor<?x8xf16>
  return %0 : tensor<?x8xf16>
}

// What a branch holds is converted before the branch.
// CHECK-LABEL: func.func @branch(
// CHECK:         %[[C:.*]] = tensor.extract
// CHECK:         scf.if %[[C]] -> (tensor<4xf32>)
// CHECK:           math.exp %{{.*}} : f64
// CHECK-NOT:     mica.
func.func @branch(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = mica.exp %x : tensor<4xf32>
    mica.yield %1 : tensor<4xf32>
  } else {
    mica.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
