// RUN: mica-opt %s | FileCheck %s
// RUN: mica-opt %s --verify-roundtrip -o /dev/null

// As in ops.mlir, for the operations of MovementOps.td, AttentionOps.td and ControlFlowOps.td: what is printed is what was
// written, but for names.

// CHECK-LABEL: func.func @gather(
// CHECK: %{{[a-z0-9_]+}} = mica.gather %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} axis = 1 batch_dims = 1 : (tensor<?x50x8xf32>, tensor<?x3xi64>) -> tensor<?x3x8xf32>
func.func @gather(%x: tensor<?x50x8xf32>, %i: tensor<?x3xi64>) -> tensor<?x3x8xf32> {
  %0 = mica.gather %x, %i axis = 1 batch_dims = 1 : (tensor<?x50x8xf32>, tensor<?x3xi64>) -> tensor<?x3x8xf32>
  return %0 : tensor<?x3x8xf32>
}

// CHECK-LABEL: func.func @embedding(
// CHECK: %{{[a-z0-9_]+}} = mica.embedding %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : (tensor<1000x64xf32>, tensor<?x16xi32>) -> tensor<?x16x64xf32>
func.func @embedding(%t: tensor<1000x64xf32>, %i: tensor<?x16xi32>) -> tensor<?x16x64xf32> {
  %0 = mica.embedding %t, %i : (tensor<1000x64xf32>, tensor<?x16xi32>) -> tensor<?x16x64xf32>
  return %0 : tensor<?x16x64xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK: %{{[a-z0-9_]+}} = mica.scatter add %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} axis = 0 : (tensor<50x?xf32>, tensor<3xi64>, tensor<3x?xf32>) -> tensor<50x?xf32>
func.func @scatter(%x: tensor<50x?xf32>, %i: tensor<3xi64>, %u: tensor<3x?xf32>) -> tensor<50x?xf32> {
  %0 = mica.scatter add %x, %i, %u axis = 0
     : (tensor<50x?xf32>, tensor<3xi64>, tensor<3x?xf32>) -> tensor<50x?xf32>
  return %0 : tensor<50x?xf32>
}

// CHECK-LABEL: func.func @append(
// CHECK: %{{[a-z0-9_]+}} = mica.cache_update %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} at %{{[a-z0-9_]+}} axis = 2 : (tensor<1x8x512x64xf32>, tensor<1x8x1x64xf32>, tensor<i64>) -> tensor<1x8x512x64xf32>
func.func @append(%c: tensor<1x8x512x64xf32>, %n: tensor<1x8x1x64xf32>, %p: tensor<i64>) -> tensor<1x8x512x64xf32> {
  %0 = mica.cache_update %c, %n at %p axis = 2
     : (tensor<1x8x512x64xf32>, tensor<1x8x1x64xf32>, tensor<i64>) -> tensor<1x8x512x64xf32>
  return %0 : tensor<1x8x512x64xf32>
}

// CHECK-LABEL: func.func @concat(
// CHECK: %{{[a-z0-9_]+}} = mica.concat %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} axis = 1 : (tensor<?x3xf32>, tensor<?x5xf32>) -> tensor<?x8xf32>
func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x5xf32>) -> tensor<?x8xf32> {
  %0 = mica.concat %a, %b axis = 1 : (tensor<?x3xf32>, tensor<?x5xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @split(
// CHECK: %{{[a-z0-9_]+}}:2 = mica.split %{{[a-z0-9_]+}} axis = 1 sizes = [8, 16] : (tensor<?x24xf32>) -> (tensor<?x8xf32>, tensor<?x16xf32>)
func.func @split(%x: tensor<?x24xf32>) -> (tensor<?x8xf32>, tensor<?x16xf32>) {
  %0:2 = mica.split %x axis = 1 sizes = [8, 16] : (tensor<?x24xf32>) -> (tensor<?x8xf32>, tensor<?x16xf32>)
  return %0#0, %0#1 : tensor<?x8xf32>, tensor<?x16xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK: %{{[a-z0-9_]+}} = mica.slice %{{[a-z0-9_]+}} offsets = [%{{[a-z0-9_]+}}, 1] sizes = [%{{[a-z0-9_]+}}, 4] strides = [1, 2] : (tensor<?x32xf32>, index, index) -> tensor<?x4xf32>
func.func @slice(%x: tensor<?x32xf32>, %o: index, %n: index) -> tensor<?x4xf32> {
  %0 = mica.slice %x offsets = [%o, 1] sizes = [%n, 4] strides = [1, 2]
     : (tensor<?x32xf32>, index, index) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @tile(
// CHECK: %{{[a-z0-9_]+}} = mica.tile %{{[a-z0-9_]+}} multiples = [1, 2] : (tensor<?x3xf32>) -> tensor<?x6xf32>
func.func @tile(%x: tensor<?x3xf32>) -> tensor<?x6xf32> {
  %0 = mica.tile %x multiples = [1, 2] : (tensor<?x3xf32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// CHECK-LABEL: func.func @flip(
// CHECK: %{{[a-z0-9_]+}} = mica.flip %{{[a-z0-9_]+}} dims = [0] : tensor<?x3xf32>
func.func @flip(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = mica.flip %x dims = [0] : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @sort(
// CHECK: %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} = mica.sort %{{[a-z0-9_]+}} axis = 1 descending : (tensor<?x100xf32>) -> (tensor<?x100xf32>, tensor<?x100xi64>)
func.func @sort(%x: tensor<?x100xf32>) -> (tensor<?x100xf32>, tensor<?x100xi64>) {
  %0:2 = mica.sort %x axis = 1 descending : (tensor<?x100xf32>) -> (tensor<?x100xf32>, tensor<?x100xi64>)
  return %0#0, %0#1 : tensor<?x100xf32>, tensor<?x100xi64>
}

// CHECK-LABEL: func.func @top_k(
// CHECK: %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} = mica.top_k %{{[a-z0-9_]+}} k = 5 axis = 1 : (tensor<?x100xf32>) -> (tensor<?x5xf32>, tensor<?x5xi64>)
func.func @top_k(%x: tensor<?x100xf32>) -> (tensor<?x5xf32>, tensor<?x5xi64>) {
  %0:2 = mica.top_k %x k = 5 axis = 1 : (tensor<?x100xf32>) -> (tensor<?x5xf32>, tensor<?x5xi64>)
  return %0#0, %0#1 : tensor<?x5xf32>, tensor<?x5xi64>
}

// CHECK-LABEL: func.func @decode(
// CHECK: %{{[a-z0-9_]+}} = mica.attention %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} position %{{[a-z0-9_]+}} causal : (tensor<1x8x1x64xf32>, tensor<1x2x512x64xf32>, tensor<1x2x512x64xf32>, tensor<i64>) -> tensor<1x8x1x64xf32>
func.func @decode(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x512x64xf32>, %v: tensor<1x2x512x64xf32>,
                  %p: tensor<i64>) -> tensor<1x8x1x64xf32> {
  %0 = mica.attention %q, %k, %v position %p causal
     : (tensor<1x8x1x64xf32>, tensor<1x2x512x64xf32>, tensor<1x2x512x64xf32>, tensor<i64>) -> tensor<1x8x1x64xf32>
  return %0 : tensor<1x8x1x64xf32>
}

// CHECK-LABEL: func.func @rope(
// CHECK: %{{[a-z0-9_]+}} = mica.rope %{{[a-z0-9_]+}} cos %{{[a-z0-9_]+}} sin %{{[a-z0-9_]+}} interleaved : (tensor<1x8x?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<1x8x?x64xf32>
func.func @rope(%x: tensor<1x8x?x64xf32>, %c: tensor<?x32xf32>, %s: tensor<?x32xf32>) -> tensor<1x8x?x64xf32> {
  %0 = mica.rope %x cos %c sin %s interleaved
     : (tensor<1x8x?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<1x8x?x64xf32>
  return %0 : tensor<1x8x?x64xf32>
}

// CHECK-LABEL: func.func @one_of_two(
// CHECK: %{{[a-z0-9_]+}} = mica.if %{{[a-z0-9_]+}} : (tensor<i1>) -> tensor<4xf32> {
// CHECK: %{{[a-z0-9_]+}} = mica.exp %{{[a-z0-9_]+}} : tensor<4xf32>
// CHECK: mica.yield %{{[a-z0-9_]+}} : tensor<4xf32>
// CHECK: } else {
// CHECK: mica.yield %{{[a-z0-9_]+}} : tensor<4xf32>
func.func @one_of_two(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = mica.exp %x : tensor<4xf32>
    mica.yield %1 : tensor<4xf32>
  } else {
    mica.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @repeated(
// CHECK: %{{[a-z0-9_]+}}:2 = mica.while(%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
// CHECK: mica.yield %{{[a-z0-9_]+}} : tensor<i1>
// CHECK: } do {
// CHECK: %{{[a-z0-9_]+}} = mica.constant dense<1> : tensor<i32>
// CHECK: %{{[a-z0-9_]+}} = mica.sub %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : tensor<i32>
// CHECK: %{{[a-z0-9_]+}} = mica.add %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : tensor<4xf32>
// CHECK: mica.yield %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : tensor<i32>, tensor<4xf32>
func.func @repeated(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = mica.while(%n, %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %n0 = tensor.extract %i[] : tensor<i32>
    %zero = arith.constant 0 : i32
    %more = arith.cmpi sgt, %n0, %zero : i32
    %1 = tensor.from_elements %more : tensor<i1>
    mica.yield %1 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %one = mica.constant dense<1> : tensor<i32>
    %1 = mica.sub %i, %one : tensor<i32>
    %2 = mica.add %a, %a : tensor<4xf32>
    mica.yield %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @same(
// CHECK: %{{[a-z0-9_]+}} = mica.if %{{[a-z0-9_]+}} : (tensor<i1>) -> tensor<4xf32> {
// CHECK: mica.yield %{{[a-z0-9_]+}} : tensor<4xf32>
// CHECK: } else {
// CHECK: mica.yield %{{[a-z0-9_]+}} : tensor<4xf32>
func.func @same(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
    mica.yield %x : tensor<4xf32>
  } else {
    mica.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @scatter_update(
// CHECK: %{{[a-z0-9_]+}} = mica.scatter update %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} axis = 1 batch_dims = 1 : (tensor<4x50xi1>, tensor<4x3xi32>, tensor<4x3xi1>) -> tensor<4x50xi1>
func.func @scatter_update(%x: tensor<4x50xi1>, %i: tensor<4x3xi32>, %u: tensor<4x3xi1>) -> tensor<4x50xi1> {
  %0 = mica.scatter update %x, %i, %u axis = 1 batch_dims = 1 : (tensor<4x50xi1>, tensor<4x3xi32>, tensor<4x3xi1>) -> tensor<4x50xi1>
  return %0 : tensor<4x50xi1>
}

// CHECK-LABEL: func.func @attention_options(
// CHECK: %{{[a-z0-9_]+}} = mica.attention %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} mask %{{[a-z0-9_]+}} position %{{[a-z0-9_]+}} causal scale = 5.000000e-01 : (tensor<?x8x?x64xf64>, tensor<?x8x?x64xf64>, tensor<?x8x?x32xf64>, tensor<?x?xi1>, tensor<i32>) -> tensor<?x8x?x32xf64>
func.func @attention_options(%q: tensor<?x8x?x64xf64>, %k: tensor<?x8x?x64xf64>, %v: tensor<?x8x?x32xf64>, %m: tensor<?x?xi1>, %p: tensor<i32>) -> tensor<?x8x?x32xf64> {
  %0 = mica.attention %q, %k, %v mask %m position %p causal scale = 5.000000e-01 : (tensor<?x8x?x64xf64>, tensor<?x8x?x64xf64>, tensor<?x8x?x32xf64>, tensor<?x?xi1>, tensor<i32>) -> tensor<?x8x?x32xf64>
  return %0 : tensor<?x8x?x32xf64>
}

// CHECK-LABEL: func.func @rope_halves(
// CHECK: %{{[a-z0-9_]+}} = mica.rope %{{[a-z0-9_]+}} cos %{{[a-z0-9_]+}} sin %{{[a-z0-9_]+}} : (tensor<?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x64xf32>
func.func @rope_halves(%x: tensor<?x64xf32>, %c: tensor<?x32xf32>, %s: tensor<?x32xf32>) -> tensor<?x64xf32> {
  %0 = mica.rope %x cos %c sin %s : (tensor<?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @smallest(
// CHECK: %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} = mica.top_k %{{[a-z0-9_]+}} k = 5 axis = 1 smallest : (tensor<?x100xi32>) -> (tensor<?x5xi32>, tensor<?x5xi64>)
func.func @smallest(%x: tensor<?x100xi32>) -> (tensor<?x5xi32>, tensor<?x5xi64>) {
  %0:2 = mica.top_k %x k = 5 axis = 1 smallest : (tensor<?x100xi32>) -> (tensor<?x5xi32>, tensor<?x5xi64>)
  return %0#0, %0#1 : tensor<?x5xi32>, tensor<?x5xi64>
}
