// RUN: mica-opt %s --split-input-file --mica-specialize="entry=main sizes=0.0=24" | FileCheck %s
// MUTATION: stays green, it asks whether the result can be read again.
// RUN: mica-opt %s --split-input-file --mica-specialize="entry=main sizes=0.0=24" | mica-opt --split-input-file --verify-diagnostics

// Operations of mica and tosa and elementwise ones take the sizes on, and results say so.

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<24x64xf32>, %[[W:.*]]: tensor<64x?xf32>) -> tensor<24x?xf32>
// CHECK:         %[[PRODUCT:.*]] = mica.matmul %[[X]], %[[W]] : (tensor<24x64xf32>, tensor<64x?xf32>) -> tensor<24x?xf32>
// CHECK:         %[[EXP:.*]] = math.exp %[[PRODUCT]] : tensor<24x?xf32>
// CHECK:         %[[INVERSE:.*]] = tosa.reciprocal %[[EXP]] : (tensor<24x?xf32>) -> tensor<24x?xf32>
// CHECK:         return %[[INVERSE]] : tensor<24x?xf32>
func.func @main(%x: tensor<?x64xf32>, %w: tensor<64x?xf32>) -> tensor<?x?xf32> {
  %0 = mica.matmul %x, %w : (tensor<?x64xf32>, tensor<64x?xf32>) -> tensor<?x?xf32>
  %1 = math.exp %0 : tensor<?x?xf32>
  %2 = tosa.reciprocal %1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// Destinations of linalg follow from the sizes they were made with.

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<24x8xf32>) -> tensor<24x8xf32>
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<24x8xf32>
// CHECK:         linalg.exp ins(%[[X]] : tensor<24x8xf32>) outs(%[[EMPTY]] : tensor<24x8xf32>) -> tensor<24x8xf32>
func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %0 = linalg.exp ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// What is not known to follow sees the type from before; the function called stays, the other entry goes.

// CHECK-NOT:   @other
// CHECK-LABEL: func.func private @callee(%{{.*}}: tensor<?xf32>)
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<24xf32>) -> tensor<?xf32>
// CHECK:         %[[ANY:.*]] = tensor.cast %[[X]] : tensor<24xf32> to tensor<?xf32>
// CHECK:         call @callee(%[[ANY]]) : (tensor<?xf32>) -> tensor<?xf32>
func.func @other(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @callee(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @callee(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Inside of control flow too.

// CHECK-LABEL: func.func @main(
// CHECK:         scf.if
// CHECK:           %[[INNER:.*]] = mica.neg %{{.*}} : tensor<24xf32>
// CHECK:           %[[ANY:.*]] = tensor.cast %[[INNER]] : tensor<24xf32> to tensor<?xf32>
// CHECK:           scf.yield %[[ANY]] : tensor<?xf32>
func.func @main(%x: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %0 = scf.if %c -> tensor<?xf32> {
    %1 = mica.neg %x : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
