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

// Upstream erases a loop without effects, also one that does not end.
// CHECK-LABEL: func.func @a_loop_that_never_ends(
// CHECK-SAME: %[[X:.*]]: i32) -> i32
// CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[X]], %{{.*}} : i32
// CHECK: %[[ENDS:.*]] = arith.xori %[[MORE]], %{{.*}} : i1
// CHECK: %[[SHOWN:.*]] = arith.index_cast %[[X]] : i32 to index
// CHECK: mica_sched.check_sizes %[[ENDS]], "the loop never ends: nothing that its condition needs changes; 0 iterations; it carries {0}"(%[[SHOWN]]) {mica_check.report = "loop"}
// CHECK: scf.while
func.func @a_loop_that_never_ends(%x: i32) -> i32 {
  %r = scf.while (%v = %x) : (i32) -> i32 {
    %c5 = arith.constant 5 : i32
    %c = arith.cmpi ne, %v, %c5 : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    scf.yield %v : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @branches_that_never_end(
// CHECK: mica_sched.check_sizes %{{.*}}, "the loop never ends
// CHECK: scf.while
func.func @branches_that_never_end(%x: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  cf.br ^loop(%x : i32)
^loop(%v: i32):
  %c = arith.cmpi ne, %v, %c5 : i32
  cf.cond_br %c, ^loop(%v : i32), ^end
^end:
  return %v : i32
}

// MUTATION: stays green, the loop is left.
// CHECK-LABEL: func.func @a_loop_that_may_end(
// CHECK-NOT: cf.assert
// CHECK: return
func.func @a_loop_that_may_end(%x: i32, %y: i32) -> i32 {
  %r:2 = scf.while (%v = %x, %w = %y) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi ne, %v, %y : i32
    scf.condition(%c) %w, %v : i32, i32
  } do {
  ^bb0(%v: i32, %w: i32):
    scf.yield %v, %w : i32, i32
  }
  return %r#0 : i32
}

// A function that is called may be called in a kernel.
// CHECK-LABEL: func.func private @called(
// CHECK-SAME: %[[X:.*]]: i32) -> i32
// CHECK: %[[SHOWN:.*]] = arith.index_cast %[[X]] : i32 to index
// CHECK-NEXT: scf.if %{{.*}} {
// CHECK-NEXT: } else {
// CHECK-NEXT: mica_check.failed "the loop never ends: {{.*}}; it carries {0}"(%[[SHOWN]] : index)
// CHECK: scf.while
func.func private @called(%x: i32) -> i32 {
  %r = scf.while (%v = %x) : (i32) -> i32 {
    %c5 = arith.constant 5 : i32
    %c = arith.cmpi ne, %v, %c5 : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    scf.yield %v : i32
  }
  return %r : i32
}
func.func @calls(%x: i32) -> i32 {
  %r = call @called(%x) : (i32) -> i32
  return %r : i32
}
