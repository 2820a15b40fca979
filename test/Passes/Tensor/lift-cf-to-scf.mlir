// RUN: mica-opt %s --mica-tensor-lift-cf-to-scf | FileCheck %s

// CHECK-LABEL: func.func @branches_become_conditionals(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32
// CHECK: %[[R:.*]] = scf.if %[[C]] -> (i32) {
// CHECK: scf.yield %[[X]]
// CHECK: } else {
// CHECK: scf.yield %[[Y]]
// CHECK: return %[[R]]
func.func @branches_become_conditionals(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^end(%x : i32), ^end(%y : i32)
^end(%r: i32):
  return %r : i32
}

// CHECK-LABEL: func.func @cycles_become_loops(
// CHECK: scf.while
// CHECK-NOT: {{[^s]}}cf.
func.func @cycles_become_loops(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^head(%n : i32)
^head(%x: i32):
  %more = arith.cmpi sgt, %x, %c1 : i32
  cf.cond_br %more, ^body, ^end
^body:
  %half = arith.shrsi %x, %c1 : i32
  cf.br ^head(%half : i32)
^end:
  return %x : i32
}

// What a path does not define is an empty tensor.
// CHECK-LABEL: func.func @tensors_have_no_poison(
// CHECK: tensor.empty() : tensor<4xf32>
// CHECK-NOT: ub.poison : tensor
func.func @tensors_have_no_poison(%c: i1, %d: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = math.exp %x : tensor<4xf32>
  cf.cond_br %d, ^end(%0 : tensor<4xf32>), ^b
^b:
  %1 = math.sin %x : tensor<4xf32>
  cf.br ^end(%1 : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @regions_too(
// CHECK: scf.execute_region
// CHECK: scf.if
func.func @regions_too(%c: i1, %x: i32, %y: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^end(%x : i32), ^end(%y : i32)
  ^end(%v: i32):
    scf.yield %v : i32
  }
  return %r : i32
}
