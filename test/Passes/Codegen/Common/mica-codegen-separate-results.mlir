// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(eliminate-empty-tensors,func.func(mica-codegen-separate-results))' | FileCheck %s

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// Both sums are results, and the second begins with the first: none may begin in the other's argument.
// CHECK-LABEL: func.func @running_sums
// CHECK-NOT:   restrict writable : memref
// CHECK:       tensor.empty() : tensor<8xi32>
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable %{{.*}}
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable %{{.*}}
func.func @running_sums(%xa: memref<8x6xi32>, %ya: memref<8x6xi32>, %o0: memref<8xi32>, %o1: memref<8xi32>) {
  %x = bufferization.to_tensor %xa restrict : memref<8x6xi32> to tensor<8x6xi32>
  %y = bufferization.to_tensor %ya restrict : memref<8x6xi32> to tensor<8x6xi32>
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %a = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x6xi32>) outs(%f : tensor<8xi32>) {
  ^bb0(%i: i32, %o: i32):
    %s = arith.addi %i, %o : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %b = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<8x6xi32>) outs(%a : tensor<8xi32>) {
  ^bb0(%i: i32, %o: i32):
    %s = arith.addi %i, %o : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  bufferization.materialize_in_destination %b in restrict writable %o1 : (tensor<8xi32>, memref<8xi32>) -> ()
  bufferization.materialize_in_destination %a in restrict writable %o0 : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// Results with chains of their own are computed where they are stored; what one only reads of the other does not matter.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @two_chains
// CHECK:       %[[A:.*]] = bufferization.to_tensor %{{.*}} restrict writable : memref<8xi32>
// CHECK:       linalg.fill {{.*}} outs(%[[A]] :
// CHECK:       %[[B:.*]] = bufferization.to_tensor %{{.*}} restrict writable : memref<8xi32>
// CHECK:       linalg.add {{.*}} outs(%[[B]] :
func.func @two_chains(%xa: memref<8x6xi32>, %o0: memref<8xi32>, %o1: memref<8xi32>) {
  %x = bufferization.to_tensor %xa restrict : memref<8x6xi32> to tensor<8x6xi32>
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %a = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x6xi32>) outs(%f : tensor<8xi32>) {
  ^bb0(%i: i32, %o: i32):
    %s = arith.addi %i, %o : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %e1 = tensor.empty() : tensor<8xi32>
  %b = linalg.add ins(%a, %a : tensor<8xi32>, tensor<8xi32>) outs(%e1 : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %a in restrict writable %o0 : (tensor<8xi32>, memref<8xi32>) -> ()
  bufferization.materialize_in_destination %b in restrict writable %o1 : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}
