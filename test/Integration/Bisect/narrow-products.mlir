// The product of an f16 vector is in range, but partial products, in the order that code makes them, are not: overflow
// and underflow of intermediates are roundings that the op explains. A wrong product without them is not.
// REQUIRES: numpy
// RUN: mica-compile --evaluate --bounds %s --entry=f --output=@%t.f.npy --output=@%t.small.npy --output=@%t.safe.npy --output=@%t.zero.npy
// RUN: %numpy_python -c "import numpy as n; print([bool(n.isinf(n.load('%t.' + k + '.bound.npy'))) for k in ('f', 'small', 'safe', 'zero')])" | FileCheck %s
// CHECK: [True, True, False, False]

func.func @f() -> (f16, f16, f16, f16) {
  // 1.5 * 2.25 * 65504 is infinite in f16.
  %a = arith.constant dense<[1.5, 2.25, 65504.0, 6.0e-8]> : vector<4xf16>
  // 6e-8 * 0.5 is 0 in f16.
  %b = arith.constant dense<[6.0e-8, 0.25, 16.0, 8.0]> : vector<4xf16>
  %c = arith.constant dense<[1.5, 2.25, 655.0, 0.125]> : vector<4xf16>
  %d = arith.constant dense<[0.0, 2.25, 655.0, 0.125]> : vector<4xf16>
  %0 = vector.reduction <mul>, %a : vector<4xf16> into f16
  %1 = vector.reduction <mul>, %b : vector<4xf16> into f16
  %2 = vector.reduction <mul>, %c : vector<4xf16> into f16
  %3 = vector.reduction <mul>, %d : vector<4xf16> into f16
  return %0, %1, %2, %3 : f16, f16, f16, f16
}
