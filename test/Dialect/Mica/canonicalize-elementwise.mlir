// RUN: mica-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @doing_twice_is_doing_once(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xi1>, %[[I:.*]]: tensor<4xi8>
// CHECK-NEXT: %[[ABS:.*]] = mica.abs %[[X]]
// CHECK-NEXT: %[[FLOOR:.*]] = mica.floor %[[X]]
// CHECK-NEXT: %[[CEIL:.*]] = mica.ceil %[[X]]
// CHECK-NEXT: %[[ROUND:.*]] = mica.round %[[X]]
// CHECK-NEXT: return %[[ABS]], %[[FLOOR]], %[[CEIL]], %[[ROUND]], %[[B]], %[[I]]
func.func @doing_twice_is_doing_once(%x: tensor<4xf32>, %b: tensor<4xi1>, %i: tensor<4xi8>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi8>) {
  %0 = mica.abs %x : tensor<4xf32>
  %1 = mica.abs %0 : tensor<4xf32>
  %2 = mica.floor %x : tensor<4xf32>
  %3 = mica.floor %2 : tensor<4xf32>
  %4 = mica.ceil %x : tensor<4xf32>
  %5 = mica.ceil %4 : tensor<4xf32>
  %6 = mica.round %x : tensor<4xf32>
  %7 = mica.round %6 : tensor<4xf32>
  %8 = mica.logical_not %b : tensor<4xi1>
  %9 = mica.logical_not %8 : tensor<4xi1>
  %10 = mica.bitwise_not %i : tensor<4xi8>
  %11 = mica.bitwise_not %10 : tensor<4xi8>
  return %1, %3, %5, %7, %9, %11 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi8>
}

// CHECK-LABEL: func.func @constants(
// CHECK-DAG: %[[ABS:.*]] = mica.constant dense<[1.750000e+00, 2.500000e+00]>
// CHECK-DAG: %[[FLOOR:.*]] = mica.constant dense<[-2.000000e+00, 2.000000e+00]>
// CHECK-DAG: %[[CEIL:.*]] = mica.constant dense<[-1.000000e+00, 3.000000e+00]>
// CHECK-DAG: %[[ROUND:.*]] = mica.constant dense<[0.000000e+00, 4.000000e+00]>
// CHECK-DAG: %[[NOT:.*]] = mica.constant dense<-6>
func.func @constants() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xi8>) {
  %x = mica.constant dense<[-1.75, 2.5]> : tensor<2xf32>
  %y = mica.constant dense<[0.5, 3.5]> : tensor<2xf32>
  %i = mica.constant dense<5> : tensor<4xi8>
  %0 = mica.abs %x : tensor<2xf32>
  %1 = mica.floor %x : tensor<2xf32>
  %2 = mica.ceil %x : tensor<2xf32>
  %3 = mica.round %y : tensor<2xf32>
  %4 = mica.bitwise_not %i : tensor<4xi8>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xi8>
}

// CHECK-LABEL: func.func @neutral_operands_vanish(
// CHECK-SAME: %[[B:.*]]: tensor<4xi1>, %[[I:.*]]: tensor<?xi8>
// CHECK-NEXT: return %[[B]], %[[B]], %[[I]], %[[I]], %[[I]]
func.func @neutral_operands_vanish(%b: tensor<4xi1>, %i: tensor<?xi8>)
    -> (tensor<4xi1>, tensor<4xi1>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>) {
  %true = mica.constant dense<true> : tensor<4xi1>
  %false = mica.constant dense<false> : tensor<4xi1>
  %ones = mica.constant dense<-1> : tensor<1xi8>
  %zero = mica.constant dense<0> : tensor<1xi8>
  %0 = mica.logical_and %b, %true : tensor<4xi1>
  %1 = mica.logical_or %b, %false : tensor<4xi1>
  %2 = mica.bitwise_and %i, %ones : (tensor<?xi8>, tensor<1xi8>) -> tensor<?xi8>
  %3 = mica.bitwise_or %i, %zero : (tensor<?xi8>, tensor<1xi8>) -> tensor<?xi8>
  %4 = mica.bitwise_and %i, %i : tensor<?xi8>
  return %0, %1, %2, %3, %4 : tensor<4xi1>, tensor<4xi1>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>
}

// CHECK-LABEL: func.func @one_choice(
// CHECK-SAME: %{{.*}}: tensor<4xi1>, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @one_choice(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %false = mica.constant dense<false> : tensor<4xi1>
  %0 = mica.select %c, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = mica.select %false, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @cast_to_the_same(
// CHECK-NEXT: return
func.func @cast_to_the_same(%x: tensor<?xf16>) -> tensor<?xf16> {
  %0 = mica.cast %x : tensor<?xf16> to tensor<?xf16>
  return %0 : tensor<?xf16>
}
