// RUN: mica-opt %s --mica-tensor-assign-ids --mica-tensor-simplify --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// Equal ops are one, which carries the ids of both.
// CHECK-LABEL: func.func @equal_ops
// CHECK:         %[[E:.+]] = mica.exp %{{.*}} loc(fused[fused<"mica.op:[[A:[0-9a-f]+]]">[{{.*}}], fused<"mica.op:[[B:[0-9a-f]+]]">[{{.*}}]])
// CHECK-NEXT:    mica.add %[[E]], %[[E]]
func.func @equal_ops(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mica.exp %x : tensor<4xf32>
  %1 = mica.exp %x : tensor<4xf32>
  %2 = mica.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Two ops become one that upstream gives the location of the second alone.
// CHECK-LABEL: func.func @absorbed
// CHECK-NEXT:    arith.constant 5 : index
// CHECK-NEXT:    arith.addi %{{.*}} loc(fused[{{.*}}"mica.op:[[C:[0-9a-f]+]]">[{{.*}}"mica.op:[[D:[0-9a-f]+]]">[
// CHECK-NEXT:    return
func.func @absorbed(%i: index) -> index {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = arith.addi %i, %c2 : index
  %1 = arith.addi %0, %c3 : index
  return %1 : index
}

// The same one after another: what the first rewrite left without readers still reads what the second takes in.
// CHECK-LABEL: func.func @absorbed_in_turn
// CHECK-NEXT:    arith.constant 14 : index
// CHECK-NEXT:    arith.addi %{{.*}} loc(fused[{{.*}}"mica.op:{{.*}}"mica.op:{{.*}}"mica.op:{{.*}}"mica.op:
// CHECK-NEXT:    return
func.func @absorbed_in_turn(%i: index) -> index {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %0 = arith.addi %i, %c2 : index
  %1 = arith.addi %0, %c3 : index
  %2 = arith.addi %1, %c4 : index
  %3 = arith.addi %2, %c5 : index
  return %3 : index
}

// What a fold puts in the place of an op computes what it did before.
// CHECK-LABEL: func.func @neutral
// CHECK:         mica.exp %{{.*}} loc(fused<"mica.op:{{[0-9a-f]+}}">["{{[^"]*}}":[[#]]:[[#]]])
// CHECK-NEXT:    return
func.func @neutral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = mica.constant dense<1.0> : tensor<4xf32>
  %0 = mica.exp %x : tensor<4xf32>
  %1 = mica.mul %0, %one : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Every kernel fills for itself, so equal fills stay two, and each reader's has its own id.
// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @fills
// CHECK-COUNT-2: linalg.fill ins
// CHECK-NOT:     mica.apart
// CHECK:         return
func.func @fills(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.matmul ins(%2, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// What is known of sizes goes through ops of mica, which upstream's do for themselves.
// CHECK-LABEL: func.func @static_sizes
// CHECK:         %[[S:.+]] = tensor.extract_slice %{{.*}} : tensor<4x5xf32> to tensor<0x5xf32>
// CHECK-NEXT:    mica.sort %[[S]] axis = 0 : (tensor<0x5xf32>) -> (tensor<0x5xf32>, tensor<0x5xi64>)
// CHECK-NEXT:    tensor.cast %{{.*}} : tensor<0x5xf32> to tensor<?x5xf32>
func.func @static_sizes(%x: tensor<4x5xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %x[0, 0] [%c0, 5] [1, 1] : tensor<4x5xf32> to tensor<?x5xf32>
  %r:2 = mica.sort %s axis = 0 : (tensor<?x5xf32>) -> (tensor<?x5xf32>, tensor<?x5xi64>)
  return %r#0 : tensor<?x5xf32>
}

// Sizes that do not fit are found when the program runs, as before.
// MUTATION: stays green, the pass leaves them.
// CHECK-LABEL: func.func @sizes_that_do_not_fit
// CHECK:         mica.add %{{.*}}, %{{.*}} : tensor<?xf32>
func.func @sizes_that_do_not_fit(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %a = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %b = tensor.cast %y : tensor<4xf32> to tensor<?xf32>
  %r = mica.add %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
