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
