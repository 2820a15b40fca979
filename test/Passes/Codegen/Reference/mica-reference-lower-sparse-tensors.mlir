// RUN: mica-opt %s --mica-reference-lower-sparse-tensors --split-input-file | FileCheck %s
// MUTATION: stays green, there is no sparse tensor.
// RUN: mica-opt %s --mica-reference-lower-sparse-tensors --split-input-file | FileCheck %s --check-prefix=DENSE

// No tensor is left, and no call but of functions that the passes write.
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
// CHECK-LABEL: func.func private @entries
// CHECK-NOT: sparse_tensor.convert
// CHECK-NOT: tensor<
// CHECK: func.call @_insert_dense_compressed
// CHECK-NOT: tensor<
// CHECK: llvm.extractvalue
func.func private @entries(%t: tensor<3x4xf32>) -> index {
  %s = sparse_tensor.convert %t : tensor<3x4xf32> to tensor<3x4xf32, #csr>
  %n = sparse_tensor.number_of_entries %s : tensor<3x4xf32, #csr>
  return %n : index
}

// A program without sparse tensors stays as it is.
// DENSE: func.func @dense(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @dense(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// The tensor that each turn writes to is made in each turn.
#csr2 = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: memref.alloc() {{.*}} : memref<4xi64>
func.func @loop(%t: tensor<3x4xf32>, %a: i64, %n: index) -> (index, i64) {
  %s = sparse_tensor.convert %t : tensor<3x4xf32> to tensor<3x4xf32, #csr2>
  %k = sparse_tensor.number_of_entries %s : tensor<3x4xf32, #csr2>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> (i64) {
    %0 = tensor.from_elements %a, %a, %a, %a : tensor<4xi64>
    %1 = tensor.insert %acc into %0[%i] : tensor<4xi64>
    %2 = tensor.extract %1[%c0] : tensor<4xi64>
    scf.yield %2 : i64
  }
  return %k, %r : index, i64
}
