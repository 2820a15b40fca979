// A negative size is an error of the op that it is given to, not of the op's users.
// RUN: rm -rf %t && mica-compile %s -o %t
// RUN: not mica-run %t --entry=empty --input=-3 --input=4xi32=1 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mica-run %t --entry=alloc --input=-3 --input=4xi32=1 2>&1 | FileCheck %s --check-prefix=ALLOC
// RUN: not mica-run %t --entry=generate --input=-3 --input=4xi32=1 2>&1 | FileCheck %s --check-prefix=GENERATE
// RUN: not mica-run %t --entry=buffer --input=-3 --input=4xi32=1 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not mica-run %t --entry=inside --input=8xf32=1 --input=8xi64=1,2,3,-4,5,6,7,8 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: mica-run %t --entry=empty --input=4 --input=4xi32=1 | FileCheck %s --check-prefix=ONES
// RUN: mica-run %t --entry=generate --input=4 --input=4xi32=1 | FileCheck %s --check-prefix=TWOS
// ONES: [1 1 1 1]
// TWOS: [2 2 2 2]
// EMPTY: error: shape mismatch in tensor.empty [{{.*}}] at {{.*}}new-sizes.mlir:[[#@LINE+2]]:8: it would have the size -3 in dimension 0; sizes must not be negative
func.func @empty(%n: index, %t: tensor<?xi32>) -> tensor<?xi32> {
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.copy ins(%t : tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// ALLOC: error: shape mismatch in bufferization.alloc_tensor [{{.*}}] at {{.*}}new-sizes.mlir:[[#@LINE+2]]:8: it would have the size -3 in dimension 0; sizes must not be negative
func.func @alloc(%n: index, %t: tensor<?xi32>) -> tensor<?xi32> {
  %e = bufferization.alloc_tensor(%n) : tensor<?xi32>
  %r = linalg.copy ins(%t : tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// GENERATE: error: shape mismatch in tensor.generate [{{.*}}] at {{.*}}new-sizes.mlir:[[#@LINE+3]]:8: it would have the size -3 in dimension 0; sizes must not be negative
func.func @generate(%n: index, %t: tensor<?xi32>) -> tensor<?xi32> {
  %k = arith.constant 1 : i32
  %e = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %k : i32
  } : tensor<?xi32>
  %r = linalg.add ins(%t, %e : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// BUFFER: error: shape mismatch in memref.alloc [{{.*}}] at {{.*}}new-sizes.mlir:[[#@LINE+2]]:8: it would have the size -3 in dimension 0; sizes must not be negative
func.func @buffer(%n: index, %t: memref<?xi32>) {
  %e = memref.alloc(%n) : memref<?xi32>
  linalg.copy ins(%t : memref<?xi32>) outs(%e : memref<?xi32>)
  linalg.copy ins(%e : memref<?xi32>) outs(%t : memref<?xi32>)
  return
}
// INSIDE: error: memref.alloc of affine.parallel [{{.*}}] at {{.*}}new-sizes.mlir:[[#@LINE+6]]:10 would have the size -4 in dimension 0; in kernel
func.func @inside(%x: memref<8xf32>, %n: memref<8xi64>) {
  %z = arith.constant 0 : index
  affine.parallel (%i) = (0) to (8) {
    %k = affine.load %n[%i] : memref<8xi64>
    %s = arith.index_cast %k : i64 to index
    %m = memref.alloc(%s) : memref<?xf32>
    %a = affine.load %x[%i] : memref<8xf32>
    memref.store %a, %m[%z] : memref<?xf32>
    %v = memref.load %m[%z] : memref<?xf32>
    memref.dealloc %m : memref<?xf32>
    affine.store %v, %x[%i] : memref<8xf32>
  }
  return
}
