// RUN: mica-opt %s --inline | FileCheck %s

// CHECK-LABEL: func.func @calls(
// CHECK-NOT: call
// CHECK: mica.add
// CHECK: mica.if
// CHECK: mica.neg
// CHECK-NOT: call
// CHECK: return
func.func @calls(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %0 = call @callee(%x, %c) : (tensor<4xf32>, tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func private @callee(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %0 = mica.add %x, %x : tensor<4xf32>
  %1 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
    %2 = mica.neg %0 : tensor<4xf32>
    mica.yield %2 : tensor<4xf32>
  } else {
    mica.yield %0 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
