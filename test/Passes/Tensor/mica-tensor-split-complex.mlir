// RUN: mica-opt %s --mica-tensor-split-complex --split-input-file | FileCheck %s
// RUN: mica-opt %s --mica-tensor-split-complex=entries-only --split-input-file | FileCheck %s --check-prefix=ENTRIES

// Arguments, results and carried values become two each; what is made per part keeps its attributes.
// CHECK-LABEL: func.func @signature(
// CHECK-SAME:    %[[RE:.*]]: tensor<4xf32> {mica.name = "x"}, %[[IM:.*]]: tensor<4xf32> {mica.imaginary, mica.name = "x"}, %[[I:.*]]: index)
// CHECK-SAME:    -> (f32, f32 {mica.imaginary}, index)
// CHECK:         %[[A:.*]] = tensor.extract %[[RE]][%[[I]]] : tensor<4xf32>
// CHECK:         %[[B:.*]] = tensor.extract %[[IM]][%[[I]]] : tensor<4xf32>
// CHECK:         %[[N:.*]] = arith.negf %[[B]] : f32
// CHECK:         return %[[A]], %[[N]], %[[I]]
func.func @signature(%x: tensor<4xcomplex<f32>> {mica.name = "x"}, %i: index) -> (complex<f32>, index) {
  %0 = tensor.extract %x[%i] : tensor<4xcomplex<f32>>
  %1 = complex.conj %0 : complex<f32>
  return %1, %i : complex<f32>, index
}

// -----

// A named op becomes a generic one with both parts of each operand.
// CHECK-LABEL: func.func @matmul(
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:      ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3xf64>, tensor<2x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>)
// CHECK-SAME:      outs(%{{.*}}, %{{.*}} : tensor<2x2xf64>, tensor<2x2xf64>)
// CHECK:         ^bb0(%[[AR:.*]]: f64, %[[AI:.*]]: f64, %[[BR:.*]]: f64, %[[BI:.*]]: f64, %[[CR:.*]]: f64, %[[CI:.*]]: f64):
// CHECK-DAG:       %[[RR:.*]] = arith.mulf %[[AR]], %[[BR]]
// CHECK-DAG:       %[[II:.*]] = arith.mulf %[[AI]], %[[BI]]
// CHECK:           %[[RE:.*]] = arith.subf %[[RR]], %[[II]]
// CHECK:           arith.addf %[[CR]], %[[RE]]
func.func @matmul(%a: tensor<2x3xcomplex<f64>>, %b: tensor<3x2xcomplex<f64>>, %c: tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) outs(%c : tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  return %0 : tensor<2x2xcomplex<f64>>
}

// -----

// An op with a region that makes elements is made twice; each copy yields one part.
// CHECK-LABEL: func.func @pad(
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK:         tensor.pad
// CHECK:           tensor.yield %[[TWO]] : f32
// CHECK:         tensor.pad
// CHECK:           tensor.yield %[[ONE]] : f32
func.func @pad(%a: tensor<2xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %c = complex.constant [2.0 : f32, 1.0 : f32] : complex<f32>
  %0 = tensor.pad %a low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %c : complex<f32>
  } : tensor<2xcomplex<f32>> to tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

// CHECK:       memref.global "private" constant @k.re : memref<2xf32> = dense<[1.000000e+00, 0.000000e+00]>
// CHECK:       memref.global "private" constant @k.im : memref<2xf32> = dense<[2.000000e+00, -1.000000e+00]>
// CHECK-LABEL: func.func @global(
// CHECK:         memref.get_global @k.re : memref<2xf32>
// CHECK:         memref.get_global @k.im : memref<2xf32>
memref.global "private" constant @k : memref<2xcomplex<f32>> = dense<[(1.0, 2.0), (0.0, -1.0)]>
func.func @global(%i: index) -> complex<f32> {
  %0 = memref.get_global @k : memref<2xcomplex<f32>>
  %1 = memref.load %0[%i] : memref<2xcomplex<f32>>
  return %1 : complex<f32>
}

// -----

// Functions are computed in 64-bit floats and rounded once.
// ENTRIES-LABEL: func.func @signature(
// ENTRIES-SAME:    tensor<4xf32> {mica.name = "x"}, %{{.*}}: tensor<4xf32>
// ENTRIES-LABEL: func.func @exp(
// ENTRIES:         complex.exp
// CHECK-LABEL: func.func @exp(
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK:         math.exp %{{.*}} : f64
// CHECK:         arith.truncf %{{.*}} : f64 to f32
// CHECK-NOT:     complex
func.func @exp(%x: f32, %y: f32) -> f32 {
  %0 = complex.create %x, %y : complex<f32>
  %1 = complex.exp %0 : complex<f32>
  %2 = complex.re %1 : complex<f32>
  return %2 : f32
}

// -----

// Branches, in blocks that stand before those that define their operands.
// CHECK-LABEL: func.func @branches(
// CHECK:         cf.cond_br %{{.*}}, ^[[A:bb[0-9]+]](%{{.*}}, %{{.*}} : f32, f32), ^[[B:bb[0-9]+]]
// CHECK:       ^[[A]](%[[RE:.*]]: f32, %[[IM:.*]]: f32):
// CHECK:         return %[[RE]], %[[IM]]
func.func @branches(%p: i1, %x: complex<f32>) -> complex<f32> {
  cf.cond_br %p, ^exit(%x : complex<f32>), ^other
^exit(%r: complex<f32>):
  return %r : complex<f32>
^other:
  %n = complex.neg %x : complex<f32>
  cf.br ^exit(%n : complex<f32>)
}

// -----

// A reduction needs both parts at once, so the loop carries them.
// CHECK-LABEL: func.func @reduction(
// CHECK-NOT:     scf.parallel
// CHECK:         %{{.*}}:2 = scf.for {{.*}} iter_args(%[[RE:.*]] = %{{.*}}, %[[IM:.*]] = %{{.*}}) -> (f32, f32)
// CHECK:           %{{.*}}:2 = scf.for {{.*}} iter_args(%[[R:.*]] = %[[RE]], %[[I:.*]] = %[[IM]]) -> (f32, f32)
// CHECK:             arith.mulf %[[R]]
// CHECK:             scf.yield %{{.*}}, %{{.*}} : f32, f32
func.func @reduction(%a: tensor<?x?xcomplex<f32>>, %n: index, %z: complex<f32>) -> complex<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%z) -> complex<f32> {
    %v = tensor.extract %a[%i, %j] : tensor<?x?xcomplex<f32>>
    scf.reduce(%v : complex<f32>) {
    ^bb0(%l: complex<f32>, %r: complex<f32>):
      %t = complex.mul %l, %r : complex<f32>
      scf.reduce.return %t : complex<f32>
    }
  }
  return %s : complex<f32>
}

// -----

// A program with an op that has no parts stays as it is: `complex<i32>` is no pair of floats.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME:    tensor<4xcomplex<i32>>
func.func @integers(%x: tensor<4xcomplex<i32>>, %y: complex<f32>) -> (tensor<4xcomplex<i32>>, complex<f32>) {
  %0 = complex.neg %y : complex<f32>
  return %x, %0 : tensor<4xcomplex<i32>>, complex<f32>
}

// -----

// So does one with a function that is defined elsewhere.
// MUTATION: stays green, the pass leaves it.
// CHECK-LABEL: func.func @outside(
// CHECK:         complex.neg
func.func private @given(complex<f32>)
func.func @outside(%y: complex<f32>) {
  %0 = complex.neg %y : complex<f32>
  func.call @given(%0) : (complex<f32>) -> ()
  return
}
