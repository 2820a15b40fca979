// RUN: not mica-run %s --entry=scattered --input=1x4x2xf32=1 --input=1x2xi32=1,4 --input=1x2x2xf32=2 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: mica-run %s --entry=scattered --input=1x4x2xf32=1 --input=1x2xi32=1,3 --input=1x2x2xf32=2 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: env MICA_DEBUG=assert-level=safe not mica-run %s --entry=gathered 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: sed -e 's/\[0, 1, 8, 2\]/[0, -3, 9, 2]/' %s > %t.negative.mlir
// RUN: env MICA_DEBUG=assert-level=safe not mica-run %t.negative.mlir --entry=gathered 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// Positions that data gives are named as they are: not as a slice, nor as the range between two of them.

// SCATTER: check failed: tosa.scatter [{{[0-9a-f]+}}] at scattered.mlir:[[#@LINE+4]]:8 stores outside: index 4 in dimension 1, whose extent is 4; in the host function
// CLEAN: {{\[\[\[}}1. 1.]
// CLEAN-NEXT: [2. 2.]
func.func @scattered(%v: tensor<1x4x2xf32>, %i: tensor<1x2xi32>, %s: tensor<1x2x2xf32>) -> tensor<1x4x2xf32> {
  %0 = tosa.scatter %v, %i, %s : (tensor<1x4x2xf32>, tensor<1x2xi32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
  return %0 : tensor<1x4x2xf32>
}

// GATHER: vector.gather {{.*}} loads outside {{.*}}: index 9 in dimension 0, whose extent is 8 (at [9], extent 8)
// NEGATIVE: vector.gather {{.*}} loads outside {{.*}}: index -2 in dimension 0, whose extent is 8 (at [-2], extent 8)
func.func @gathered() {
  %m = memref.alloc() : memref<8xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%m : memref<8xf32>)
  %c1 = arith.constant 1 : index
  %i = arith.constant dense<[0, 1, 8, 2]> : vector<4xindex>
  %t = arith.constant dense<true> : vector<4xi1>
  %p = arith.constant dense<0.0> : vector<4xf32>
  %v = vector.gather %m[%c1][%i], %t, %p : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %v : vector<4xf32>
  memref.dealloc %m : memref<8xf32>
  return
}
