// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-check-reshapes))' | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-check-reshapes,mica-dispatch-check-reshapes))' | FileCheck %s --check-prefix=ONCE

// CHECK-LABEL: func.func @reshape
// CHECK:         %[[A:.*]] = tensor.extract %arg1[%{{.*}}] : tensor<2xindex>
// CHECK:         %[[B:.*]] = tensor.extract %arg1[%{{.*}}] : tensor<2xindex>
// CHECK:         %[[N:.*]] = tensor.dim %arg0
// CHECK-NEXT:    mica_sched.check_reshape sizes(%[[N]]) : tensor<?xf32> to sizes(%[[A]], %[[B]]) : tensor<?x?xf32>
// CHECK-NEXT:    tensor.reshape
// ONCE-LABEL:  func.func @reshape
// ONCE-COUNT-1:  mica_sched.check_reshape
// ONCE-NOT:      mica_sched.check_reshape
// MUTATION: stays green, nothing is to be checked.
// ONCE-LABEL:  func.func @static
func.func @reshape(%x: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  %r = tensor.reshape %x(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// What the types say needs no check.
// CHECK-LABEL: func.func @static
// CHECK-NOT:     mica_sched.check
func.func @static(%x: tensor<6xf32>, %s: tensor<2xindex>, %y: tensor<2x?xf32>) -> (tensor<2x3xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %0 = tensor.reshape %x(%s) : (tensor<6xf32>, tensor<2xindex>) -> tensor<2x3xf32>
  %1 = tensor.cast %y : tensor<2x?xf32> to tensor<?x?xf32>
  %2 = tensor.collapse_shape %y [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// One group of dimensions at a time.
// CHECK-LABEL: func.func @expand
// CHECK:         %[[N:.*]] = tensor.dim %arg0, %c1
// CHECK-NEXT:    mica_sched.check_reshape sizes(%[[N]]) : tensor<?xf32> to sizes(%arg1, %arg2) : tensor<?x?xf32>
// CHECK-NEXT:    tensor.expand_shape
func.func @expand(%x: tensor<4x?xf32>, %a: index, %b: index) -> tensor<2x2x?x?xf32> {
  %r = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 2, %a, %b] : tensor<4x?xf32> into tensor<2x2x?x?xf32>
  return %r : tensor<2x2x?x?xf32>
}

// CHECK-LABEL: func.func @cast
// CHECK:         mica_sched.check_reshape same_sizes sizes(%{{.*}}) : tensor<?xf32> to : tensor<4xf32>
// CHECK-NEXT:    tensor.cast
// CHECK:         mica_sched.check_reshape sizes(%{{.*}}) : tensor<?xf32> to sizes(%{{.*}}) : tensor<?x2xf32>
// CHECK-NEXT:    mica.reshape
func.func @cast(%x: tensor<?xf32>) -> (tensor<4xf32>, tensor<?x2xf32>) {
  %0 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  %1 = mica.reshape %x : (tensor<?xf32>) -> tensor<?x2xf32>
  return %0, %1 : tensor<4xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: func.func @sums
// CHECK:         mica_sched.check_sum %arg1, %{{.*}}, %arg1 : f32
// CHECK-NEXT:    tensor.pad
// CHECK:         mica_sched.check_sum %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:    tensor.concat
// CHECK:         mica_sched.check_reshape sizes(%{{.*}}) : tensor<?x3xf32> to sizes(%{{.*}}) : tensor<?xf32>
// CHECK-NEXT:    mica.tile
func.func @sums(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[%n] high[%n] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = mica.tile %x multiples = [3] : tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @buffers
// CHECK:         %[[N:.*]] = memref.dim %arg0
// CHECK-NEXT:    mica_sched.check_reshape sizes(%[[N]]) : tensor<?xf32> to sizes(%arg1, %arg1) : tensor<?x?xf32>
// CHECK-NEXT:    memref.expand_shape
func.func @buffers(%x: memref<?xf32>, %n: index) -> memref<?x?xf32> {
  %r = memref.expand_shape %x [[0, 1]] output_shape [%n, %n] : memref<?xf32> into memref<?x?xf32>
  return %r : memref<?x?xf32>
}

// Work for kernels is left as it is.
// MUTATION: stays green, nothing is to be checked.
// CHECK-LABEL: func.func @inKernel
// CHECK-NOT:     mica_sched.check
func.func @inKernel(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%o = %y) -> tensor<4xf32> {
    %c = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

// A slice is inside of its tensor; one of everything is.
// CHECK-LABEL: func.func @slice(
// CHECK:         mica_sched.check_sizes %{{.*}}, "the slice [{0}] [{1}] [{2}] (offset, size, stride) of dimension 0 is not inside of the {3} elements that there are"
// CHECK:         tensor.extract_slice
// CHECK:         mica_sched.check_sizes
// CHECK:         tensor.insert_slice
// CHECK-NOT:     mica_sched.check_sizes
// CHECK:         return
func.func @slice(%x: tensor<?xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<2xf32>, tensor<?xf32>, tensor<2xf32>) {
  %0 = tensor.extract_slice %y[%n] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %1 = tensor.insert_slice %y into %x[0] [4] [2] : tensor<4xf32> into tensor<?xf32>
  %2 = tensor.extract_slice %y[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<?xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @concat(
// CHECK:         mica_sched.check_sizes %{{.*}}, "dimension 1 of input 1 is {0}, expected {1} as of input 0"
// CHECK:         tensor.concat
func.func @concat(%x: tensor<2x?xf32>, %y: tensor<3x?xf32>) -> tensor<5x?xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<2x?xf32>, tensor<3x?xf32>) -> tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}

// What constraints require of sizes that types leave open, by the label of each.
// CHECK-LABEL: func.func @constraints(
// CHECK:         %[[K:.*]] = tensor.dim %arg0, %c1
// CHECK:         %[[L:.*]] = tensor.dim %arg1, %c0
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[K]], %[[L]] : index
// CHECK:         mica_sched.check_sizes %[[OK]], "(C3) dim 1 of lhs is {0}, dim 0 of rhs is {1}; they have to be equal"(%[[K]], %[[L]])
// CHECK-NEXT:    mica.matmul
// CHECK:         mica_sched.check_sizes %{{.*}}, "(C2) dim 1 of the operand is {0}, but has to be at least 3, which is k"
// CHECK-NEXT:    mica.top_k
func.func @constraints(%x: tensor<2x?xf32>, %y: tensor<?x?xf32>) -> tensor<2x3xf32> {
  %0 = mica.matmul %x, %y : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<2x?xf32>
  %v, %i = mica.top_k %0 k = 3 axis = 1 : (tensor<2x?xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return %v : tensor<2x3xf32>
}

// A result has the size that its type states, whatever follows from the operands.
// CHECK-LABEL: func.func @written(
// CHECK:         mica_sched.check_sizes %{{.*}}, "(C2) dim 0 of the result is {0}, but its type says 4"
// CHECK-NEXT:    mica.transpose
func.func @written(%x: tensor<2x?xf32>) -> tensor<4x2xf32> {
  %0 = mica.transpose %x permutation = [1, 0] : (tensor<2x?xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @copy(
// CHECK:         mica_sched.check_reshape same_sizes sizes(%{{.*}}) : tensor<?xf32> to : tensor<4xf32>
// CHECK-NEXT:    memref.copy
func.func @copy(%x: memref<?xf32>, %y: memref<4xf32>) {
  memref.copy %x, %y : memref<?xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @dimension(
// CHECK:         %[[OK:.*]] = arith.cmpi ult, %arg1, %c2
// CHECK-NEXT:    mica_sched.check_sizes %[[OK]], "there is no dimension {0}, but {1} from 0 on"(%arg1, %c2)
// CHECK-NEXT:    tensor.dim %arg0, %arg1
func.func @dimension(%x: tensor<?x?xf32>, %d: index) -> index {
  %0 = tensor.dim %x, %d : tensor<?x?xf32>
  return %0 : index
}

// A dimension that is a constant only since a call was inlined.
// CHECK-LABEL: func.func @constant_dimension(
// CHECK:         mica_sched.check_sizes %{{.*}}, "there is no dimension {0}, but {1} from 0 on"
// CHECK-NEXT:    tensor.dim %arg0, %c2
// CHECK-NOT:     mica_sched.check_sizes
// CHECK:         tensor.dim %arg0, %c1
func.func @constant_dimension(%x: tensor<?x?xf32>) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %x, %c2 : tensor<?x?xf32>
  %1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  return %0, %1 : index, index
}

// So with a step.
// CHECK-LABEL: func.func @constant_step(
// CHECK:         %[[EMPTY:.*]] = arith.cmpi sge, %arg0, %arg1 : index
// CHECK-NEXT:    cf.assert %[[EMPTY]], "the step of the loop is not positive: -1"
// CHECK-NEXT:    scf.for
// CHECK-NOT:     cf.assert
// ONCE-LABEL:  func.func @constant_step(
// ONCE-COUNT-1:  cf.assert
// ONCE-NOT:      cf.assert
func.func @constant_step(%a: index, %b: index, %x: memref<8xf32>, %v: f32) {
  %step = arith.constant -1 : index
  scf.for %i = %a to %b step %step {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @forall_step(
// CHECK:         mica_sched.check_sizes %{{.*}}, "the loop from {0} to {1} has the step {2}, which is not positive"
// CHECK-NEXT:    scf.forall
// CHECK-NOT:     mica_sched.check_sizes
// CHECK:         scf.forall
func.func @forall_step(%x: tensor<8xf32>, %v: tensor<1xf32>, %s: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = scf.forall (%i) = (0) to (8) step (%s) shared_outs(%o = %x) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  %1 = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %x) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @tiles
// CHECK:         mica_sched.check_sizes {{.*}}"tiles of {0} elements where inner tile 0 is {1}"
// CHECK:         mica_sched.check_sizes {{.*}}"{0} tiles of {1} elements are not the {2} elements of dimension 0"
// CHECK:         linalg.pack
// CHECK:         mica_sched.check_sizes {{.*}}"{0} tiles of {1} elements do not cover the {2} elements of dimension 0"
// CHECK:         linalg.unpack
func.func @tiles(%x: tensor<?xf32>, %n: index, %out: tensor<?x?xf32>, %y: tensor<2x4xf32>, %all: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [%n] into %out : tensor<?xf32> -> tensor<?x?xf32>
  %1 = linalg.unpack %y inner_dims_pos = [0] inner_tiles = [4] into %all : tensor<2x4xf32> -> tensor<?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}
