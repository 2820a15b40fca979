// RUN: env MICA_DEBUG=nan-check not mica-run %s --entry=origin --input=1x2x2xf32=1,1,1,-1 2>&1 | FileCheck %s --check-prefix=ORIGIN
// RUN: env MICA_DEBUG=nan-check not mica-run %s --entry=origin --input=1x2x2xf32=1,1,1,-1 --target=sim 2>&1 | FileCheck %s --check-prefixes=ORIGIN,SIM
// RUN: not mica-run %s --entry=divide --input=2x1x2xi32=1,1,1,7 --input=2x1x2xi32=1,1,1,0 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: env MICA_DEBUG=assert-level=all not mica-run %s --entry=gathered --input=1x4x1xf32=1,2,3,4 --input=1x2xi32=0,4 2>&1 | FileCheck %s --check-prefix=GATHER
// Kernels leave out dimensions of size 1; messages name elements, sizes and dimensions as the source has them.

// ORIGIN: NaN/Inf: tosa.log [{{[0-9a-f]+}}] at unit-dims.mlir:[[#@LINE+3]]:8 gives nan, math.log(-1), at element [0, 1, 1] of %l; the kernel gives 1 NaN and 0 Inf in the 4 elements of %e (1x2x2xf32), first {{-?}}nan at [0, 1, 1]; operands there: %x: -1; originates here
// SIM-SAME: of block (0,0,0) at [0, 1, 1]
func.func @origin(%x: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %l = tosa.log %x : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %e = tosa.exp %l : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %e : tensor<1x2x2xf32>
}

// DIVIDE: arith.divsi [{{[0-9a-f]+}}] at unit-dims.mlir:[[#@LINE+2]]:8: integer division by zero, or one that overflows, arith.divsi(7, 0), at element [1, 0, 1] of %q
func.func @divide(%x: tensor<2x1x2xi32>, %y: tensor<2x1x2xi32>) -> tensor<2x1x2xi32> {
  %q = arith.divsi %x, %y : tensor<2x1x2xi32>
  return %q : tensor<2x1x2xi32>
}

// GATHER: tosa.gather [{{[0-9a-f]+}}] at unit-dims.mlir:[[#@LINE+2]]:8 loads outside %v (1x4x1xf32, read): index 4 in dimension 1, whose extent is 4 (at [0, 4, 0], extent 1x4x1)
func.func @gathered(%v: tensor<1x4x1xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x1xf32> {
  %g = tosa.gather %v, %i : (tensor<1x4x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32>
  return %g : tensor<1x2x1xf32>
}
