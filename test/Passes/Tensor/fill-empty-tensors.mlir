// RUN: mica-opt %s --mica-tensor-fill-empty-tensors --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @accumulates_into_undefined_elements(
// CHECK:         %[[E:.*]] = tensor.empty()
// CHECK:         %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[E]]
// CHECK:         linalg.matmul {{.*}} outs(%[[F]]
func.func @accumulates_into_undefined_elements(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the tensor is made here}}
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-warning @below {{'linalg.matmul' uses elements of 'tensor.empty', which are undefined; Mica sets them to 0}}
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @returns_undefined_elements(
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         return %[[F]]
func.func @returns_undefined_elements(%n: index) -> tensor<?xi8> {
  // expected-note @below {{the tensor is made here}}
  %e = bufferization.alloc_tensor(%n) : tensor<?xi8>
  // expected-warning @below {{'func.return' uses elements of 'bufferization.alloc_tensor'}}
  return %e : tensor<?xi8>
}

// -----

// CHECK-LABEL: func.func @slices_leave_a_gap(
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         tensor.insert_slice %{{.*}} into %[[F]][0]
func.func @slices_leave_a_gap(%x: tensor<2xf32>) -> tensor<5xf32> {
  // expected-note @below {{the tensor is made here}}
  %e = tensor.empty() : tensor<5xf32>
  // expected-warning @below {{'tensor.insert_slice' keeps elements of 'tensor.empty', which are undefined}}
  %0 = tensor.insert_slice %x into %e[0] [2] [1] : tensor<2xf32> into tensor<5xf32>
  %1 = tensor.insert_slice %x into %0[3] [2] [1] : tensor<2xf32> into tensor<5xf32>
  return %1 : tensor<5xf32>
}

// -----

// Four blocks of a tensor, in any order.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @slices_cover_the_tensor(
// CHECK-NOT:     linalg.fill
func.func @slices_cover_the_tensor(%x: tensor<2x1xf32>, %y: tensor<2x3xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<4x4xf32>
  %1 = tensor.insert_slice %y into %0[2, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x4xf32>
  %2 = tensor.insert_slice %x into %1[2, 0] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<4x4xf32>
  %3 = tensor.insert_slice %y into %2[0, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
#behind = affine_map<(i) -> (i + 3)>

// What an op does not write of an output is part of its result; a loop may write all or not.
// CHECK-LABEL: func.func @partial_output_and_loop(
// CHECK-COUNT-2: linalg.fill
func.func @partial_output_and_loop(%x: tensor<4xf32>, %n: index) -> (tensor<7xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<7xf32>
  %0 = linalg.generic {indexing_maps = [#id, #behind], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<7xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = tensor.empty() : tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f) -> (tensor<4xf32>) {
    %v = tensor.extract %x[%i] : tensor<4xf32>
    %u = tensor.insert %v into %t[%i] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  return %0, %1 : tensor<7xf32>, tensor<4xf32>
}

// -----

// The sizes alone are needed, or everything is written: also through views, and where sizes are known at run time only.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @whole_outputs_and_shapes(
// CHECK-NOT:     linalg.fill
func.func @whole_outputs_and_shapes(%x: tensor<?x4xf32>, %y: tensor<2x2xf32>, %n: index) -> (tensor<?x4xf32>, tensor<2x2xf32>, tensor<?x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %v = tensor.expand_shape %f [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %1 = linalg.exp ins(%y : tensor<2x2xf32>) outs(%v : tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = tensor.empty(%n) : tensor<?x4xf32>
  %2 = tensor.insert_slice %x into %g[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
  %d = tensor.dim %g, %c0 : tensor<?x4xf32>
  return %0, %1, %2, %d : tensor<?x4xf32>, tensor<2x2xf32>, tensor<?x4xf32>, index
}
