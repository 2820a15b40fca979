// RUN: mica-opt %s | FileCheck %s
// RUN: mica-opt %s --verify-roundtrip -o /dev/null

// Every operation's documented example, then the forms that the examples do not show, parses and prints again.

// CHECK-LABEL: func.func @argmax(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x1000xf32>
// CHECK: %[[R:.*]] = mica.argmax %[[A]] axis = 1 : (tensor<?x1000xf32>) -> tensor<?xi64>
// CHECK: return %[[R]]
func.func @argmax(%x: tensor<?x1000xf32>) -> tensor<?xi64> {
  %0 = mica.argmax %x axis = 1 : (tensor<?x1000xf32>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// CHECK-LABEL: func.func @argmin(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x10xi32>
// CHECK: %[[R:.*]] = mica.argmin %[[A]] axis = 1 keep_dims : (tensor<?x10xi32>) -> tensor<?x1xi32>
// CHECK: return %[[R]]
func.func @argmin(%x: tensor<?x10xi32>) -> tensor<?x1xi32> {
  %0 = mica.argmin %x axis = 1 keep_dims : (tensor<?x10xi32>) -> tensor<?x1xi32>
  return %0 : tensor<?x1xi32>
}

// CHECK-LABEL: func.func @positions(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x128xi64>
// CHECK: %[[R:.*]] = mica.cumsum %[[A]] axis = 1 exclusive : tensor<?x128xi64>
// CHECK: return %[[R]]
func.func @positions(%mask: tensor<?x128xi64>) -> tensor<?x128xi64> {
  %0 = mica.cumsum %mask axis = 1 exclusive : tensor<?x128xi64>
  return %0 : tensor<?x128xi64>
}

// CHECK-LABEL: func.func @cumsum_from_the_end(
// CHECK: mica.cumsum %{{.*}} axis = 0 reverse : tensor<?xf32>
func.func @cumsum_from_the_end(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mica.cumsum %x axis = 0 reverse : tensor<?xf32>
  return %0 : tensor<?xf32>
}
