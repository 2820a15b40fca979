// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-dispatch-infer-dim-equalities))' | FileCheck %s

// Both operands are read by one loop; the result has their size, so a third argument has to have it too.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    mica.related_sizes = [{op = "aaaaaaaaaaaa", sizes = array<i64: 1, 0, 0, 0, -1>}, {op = "bbbbbbbbbbbb", sizes = array<i64: 2, 0, 0, 0, -1>}]
#id = affine_map<(d0) -> (d0)>
func.func @chain(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32> loc(fused<"mica.op:aaaaaaaaaaaa">["m.mlir":1:1])
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%c, %0 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.mulf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32> loc(fused<"mica.op:bbbbbbbbbbbb">["m.mlir":2:1])
  return %1 : tensor<?xf32>
}

// -----

// The reduced dimension of a product; a size that a static operand or a cast makes a number.
// CHECK-LABEL: func.func @product(
// CHECK-SAME:    mica.related_sizes = [{op = "aaaaaaaaaaaa", sizes = array<i64: 1, 0, 0, 1, -1>}, {op = "bbbbbbbbbbbb", sizes = array<i64: 1, 1, -1, -1, 7>}]
func.func @product(%a: tensor<5x?xf32>, %b: tensor<?x?xf32>) -> tensor<5x7xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<5x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<5x?xf32>, tensor<?x?xf32>) outs(%e : tensor<5x?xf32>) -> tensor<5x?xf32>
      loc(fused<"mica.op:aaaaaaaaaaaa">["m.mlir":1:1])
  %1 = tensor.cast %0 : tensor<5x?xf32> to tensor<5x7xf32> loc(fused<"mica.op:bbbbbbbbbbbb">["m.mlir":2:1])
  return %1 : tensor<5x7xf32>
}

// -----

// An op in a branch may never be executed; windows have no size of their own.
// MUTATION: stays green, nothing is known.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT:     mica.related_sizes
// CHECK:         scf.if
#id = affine_map<(d0) -> (d0)>
func.func @nothing(%p: i1, %a: tensor<?xf32>, %b: tensor<?xf32>, %k: tensor<?xf32>, %r: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = scf.if %p -> (tensor<?xf32>) {
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.addf %x, %o : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  %2 = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<?xf32>) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  return %0, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A size that is no argument's is checked before the op; once, as it is known then.
// CHECK-LABEL: func.func @own_size(
// CHECK-SAME:    %[[A:.*]]: tensor<?xf32>, %[[N:.*]]: index)
// CHECK:         %[[E:.*]] = tensor.empty(%[[N]])
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[E]]
// CHECK:         %[[EXPECTED:.*]] = tensor.dim %[[A]]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[SIZE]], %[[EXPECTED]]
// CHECK:         mica_sched.check_sizes %[[OK]], "dimension 0 of the tensor of {{.*}} is {0}, but dimension 0 of argument 0 is {1}; they have to be equal"(%[[SIZE]], %[[EXPECTED]])
// CHECK:         linalg.exp
// CHECK-NOT:     check_sizes
// CHECK:         return
func.func @own_size(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// Callers cannot see to what a branch requires; what holds before it is known in it.
// CHECK-LABEL: func.func @branch(
// CHECK-NOT:     related_sizes
// CHECK:         scf.if
// CHECK-COUNT-1:   mica_sched.check_sizes
// CHECK-NOT:     check_sizes
// CHECK:         return
func.func @branch(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.if %c -> tensor<?xf32> {
    %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

#window = affine_map<(o, k) -> (2 * o + k)>

// The last position of a window is inside of what it slides over, unless a loop makes no step.
// CHECK-LABEL: func.func @window(
// CHECK:         mica_sched.check_sizes %{{.*}}, "positions {0} to {1} of dimension 0 of argument 0 are accessed, which has the size {2}"
// CHECK:         linalg.generic
func.func @window(%x: tensor<?xf32>, %k: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#window, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<?xf32>, tensor<3xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A check of sizes of arguments is left to callers, and one of what is equal already is erased; others stay.
// CHECK-LABEL: func.func @checked(
// CHECK-SAME:    mica.related_sizes = [{op = "", sizes = array<i64: 1, 0, 0, 0, -1>}]
// CHECK-NOT:     mica_sched.check_sizes
// CHECK:         mica_sched.check_sizes %{{.*}}, "third"
// CHECK-NOT:     mica_sched.check_sizes
// CHECK:         return
func.func @checked(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %a = tensor.dim %x, %c0 : tensor<?xf32>
  %b = tensor.dim %y, %c0 : tensor<?xf32>
  %0 = arith.cmpi eq, %b, %a : index
  mica_sched.check_sizes %0, "first"
  %1 = arith.cmpi eq, %a, %b : index
  mica_sched.check_sizes %1, "second"
  %2 = arith.cmpi eq, %n, %b : index
  mica_sched.check_sizes %2, "third"
  %3 = arith.cmpi eq, %n, %a : index
  mica_sched.check_sizes %3, "fourth"
  return
}

// A static size of 0, which upstream's verifier lets pass.
// CHECK-LABEL: func.func @window_over_nothing
// CHECK:         mica_sched.check_sizes {{.*}}"positions {0} to {1} of dimension 0 of argument 0 are accessed, which has the size {2}"
func.func @window_over_nothing(%x: tensor<0xf32>, %w: tensor<3xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<0xf32>, tensor<3xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %m, %c : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
