// RUN: mica-opt %s --split-input-file --mica-dispatch-outline-vector-code | FileCheck %s

// CHECK-LABEL: func.func @result_is_a_loop_of_one_iteration(
// CHECK-SAME: %[[X:[^ :]*]]: tensor<8xf32>, %[[Y:[^ :]*]]: tensor<8xf32>
// CHECK: %[[R:.*]] = scf.forall (%{{.*}}) in (1) shared_outs(%[[O:.*]] = %[[Y]]) -> (tensor<8xf32>) {
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]]
// CHECK: %[[S:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK: %[[W:.*]] = vector.transfer_write %[[S]], %[[O]]
// CHECK: tensor.parallel_insert_slice %[[W]] into %[[O]][0] [8] [1]
// CHECK: } {mica.loop_kind = "vectors"}
// CHECK-NOT: vector
// CHECK: return %[[R]]
func.func @result_is_a_loop_of_one_iteration(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %s = arith.mulf %v, %v : vector<8xf32>
  %w = vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  return %w : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @loop_goes_in_as_a_whole(
// CHECK-SAME: %[[X:[^ :]*]]: tensor<?x8xf32>
// CHECK: scf.forall (%{{.*}}) in (1) shared_outs(%[[O:.*]] = %[[X]])
// CHECK: %[[L:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[O]])
// CHECK: vector.transfer_read
// CHECK: vector.transfer_write
// CHECK: %[[N:.*]] = tensor.dim %[[O]]
// CHECK: tensor.parallel_insert_slice %[[L]] into %[[O]][0, 0] [%[[N]], 8] [1, 1]
// CHECK-NOT: scf.for
func.func @loop_goes_in_as_a_whole(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %x) -> tensor<?x8xf32> {
    %v = vector.transfer_read %o[%i, %c0], %z {in_bounds = [true]} : tensor<?x8xf32>, vector<8xf32>
    %s = arith.mulf %v, %v : vector<8xf32>
    %w = vector.transfer_write %s, %o[%i, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<?x8xf32>
    scf.yield %w : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

// A loop that holds a kernel's work stays; what is computed with vectors in it goes in.
// CHECK-LABEL: func.func @loop_around_other_work_stays(
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: scf.forall (%{{.*}}) in (1)
// CHECK: vector.transfer_write
// CHECK: scf.yield
func.func @loop_around_other_work_stays(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %x) -> tensor<8xf32> {
    %e = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : tensor<8xf32>) {
    ^bb0(%a: f32):
      %0 = math.exp %a : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %v = vector.transfer_read %e[%c0], %z {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
    %w = vector.transfer_write %v, %e[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @writes_into_one_tensor_and_a_scalar(
// CHECK-SAME: %[[X:[^ :]*]]: tensor<8xf32>
// CHECK: %[[W:.*]] = scf.forall {{.*}} shared_outs(%[[O:.*]] = %[[X]])
// CHECK: %[[FIRST:.*]] = vector.transfer_write %{{.*}}, %[[O]]
// CHECK: vector.transfer_write %{{.*}}, %[[FIRST]]
// CHECK: %[[B:.*]] = scf.forall {{.*}} -> (tensor<1xf32>)
// CHECK: %[[S:.*]] = vector.reduction <add>
// CHECK: tensor.from_elements %[[S]] : tensor<1xf32>
// CHECK: %[[E:.*]] = tensor.extract %[[B]]
// CHECK: return %[[W]], %[[E]]
func.func @writes_into_one_tensor_and_a_scalar(%x: tensor<8xf32>) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  %0 = vector.transfer_write %v, %x[%c4] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %1 = vector.transfer_write %v, %0[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %s = vector.reduction <add>, %v : vector<4xf32> into f32
  return %1, %s : tensor<8xf32>, f32
}

// -----

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @what_prints_stays(
// CHECK-NOT: scf.forall
// CHECK: vector.print
func.func @what_prints_stays(%x: tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %z {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  vector.print %v : vector<8xf32>
  return
}

// -----

// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @what_is_on_vectors_alone_stays(
// CHECK-NOT: scf.forall
// CHECK: vector.reduction
func.func @what_is_on_vectors_alone_stays(%x: f32) -> f32 {
  %v = vector.broadcast %x : f32 to vector<4xf32>
  %s = vector.reduction <add>, %v : vector<4xf32> into f32
  return %s : f32
}
