// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-expose-divisions))' --split-input-file | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-check-expose-divisions,canonicalize))' --split-input-file | FileCheck %s --check-prefix=FOLDED

// A fold would make poison of it.
// CHECK-LABEL: func.func @zero
// CHECK: arith.divsi
// FOLDED-LABEL: func.func @zero
// FOLDED: arith.divsi
func.func @zero(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%n, %c0]
  return %0 : index
}

// -----

// CHECK-LABEL: func.func @bound
// CHECK: arith.divsi
// CHECK: scf.for
// FOLDED-LABEL: func.func @bound
// FOLDED: arith.divsi
func.func @bound(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  affine.for %i = 0 to affine_map<()[s0] -> (7 ceildiv s0)>()[%c0] {
    affine.store %v, %x[%i] : memref<8xf32>
  }
  return
}

// -----

// A divisor that is a positive constant stays where maps are folded.
// MUTATION: stays green, there is nothing to report.
// CHECK-LABEL: func.func @positive
// CHECK: affine.apply
// FOLDED-LABEL: func.func @positive
// FOLDED: affine.apply
func.func @positive(%n: index) -> index {
  %c4 = arith.constant 4 : index
  %0 = affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%n, %c4]
  return %0 : index
}
