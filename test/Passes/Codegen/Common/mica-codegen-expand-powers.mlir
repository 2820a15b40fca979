// RUN: mica-opt %s --mica-codegen-expand-powers | FileCheck %s

// CHECK-LABEL: func.func @constant_exponents_are_products
// CHECK-SAME: %[[X:.*]]: vector<4xf32>
// CHECK: %[[S:.*]] = arith.mulf %[[X]], %[[X]] : vector<4xf32>
// CHECK: %[[R:.*]] = arith.mulf %[[S]], %{{.*}} : vector<4xf32>
// CHECK: return %[[R]]
func.func @constant_exponents_are_products(%x: vector<4xf32>) -> vector<4xf32> {
  %c = arith.constant dense<2> : vector<4xi32>
  %0 = math.fpowi %x, %c : vector<4xf32>, vector<4xi32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @other_exponents_become_floats
// CHECK: %[[F:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK: math.powf %{{.*}}, %[[F]] : f32
func.func @other_exponents_become_floats(%x: f32, %n: i32) -> f32 {
  %0 = math.fpowi %x, %n : f32, i32
  return %0 : f32
}

// CHECK-LABEL: func.func @bits_of_a_matrix
// CHECK: %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<2x3xi32> to vector<6xi32>
// CHECK: %[[R:.*]] = math.ctlz %[[FLAT]] : vector<6xi32>
// CHECK: vector.shape_cast %[[R]] : vector<6xi32> to vector<2x3xi32>
// CHECK: math.cttz %{{.*}} : vector<6xi32>
// CHECK: math.absi %{{.*}} : vector<6xi32>
func.func @bits_of_a_matrix(%x: vector<2x3xi32>) -> vector<2x3xi32> {
  %0 = math.ctlz %x : vector<2x3xi32>
  %1 = math.cttz %0 : vector<2x3xi32>
  %2 = math.absi %1 : vector<2x3xi32>
  return %2 : vector<2x3xi32>
}
