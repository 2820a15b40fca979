// Memory that threads allocate, on the stack too, of sizes that only a run knows; a negative size is named.
// REQUIRES: compiler
// RUN: rm -rf %t && mica-compile %s --target=sim -o %t
// RUN: mica-run %t --entry=stack --input=4xf32=5 --input=4xi64=1,2,3,4 | FileCheck %s --check-prefix=VALUES
// RUN: mica-run %t --entry=heap --input=4xf32=5 --input=4xi64=1,2,3,4 | FileCheck %s --check-prefix=VALUES
// RUN: not mica-run %t --entry=stack --input=4xf32=5 --input=4xi64=1,2,-3,4 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: not mica-run %t --entry=heap --input=4xf32=5 --input=4xi64=1,2,-3,4 2>&1 | FileCheck %s --check-prefix=HEAP
// RUN: not mica-run %t --entry=host --input=-3 2>&1 | FileCheck %s --check-prefix=HOST
// VALUES: [5. 5. 5. 5.]

func.func @stack(%x: memref<4xf32>, %n: memref<4xi64>) {
  %z = arith.constant 0 : index
  affine.for %i = 0 to 4 {
    %k = affine.load %n[%i] : memref<4xi64>
    %s = arith.index_cast %k : i64 to index
    memref.alloca_scope {
      // STACK: check failed: memref.alloca {{.*}}at {{.*}}dynamic-temporaries.mlir:[[#@LINE+1]]:12: it would have the size -3 in dimension 0, first in thread
      %m = memref.alloca(%s) : memref<?xf32>
      %a = affine.load %x[%i] : memref<4xf32>
      memref.store %a, %m[%z] : memref<?xf32>
      %v = memref.load %m[%z] : memref<?xf32>
      affine.store %v, %x[%i] : memref<4xf32>
    }
  }
  return
}

func.func @heap(%x: memref<4xf32>, %n: memref<4xi64>) {
  %z = arith.constant 0 : index
  affine.parallel (%i) = (0) to (4) {
    %k = affine.load %n[%i] : memref<4xi64>
    %s = arith.index_cast %k : i64 to index
    // HEAP: check failed: memref.alloc of affine.parallel [{{.*}}] at {{.*}}dynamic-temporaries.mlir:[[#@LINE+1]]:10: it would have the size -3 in dimension 1, first in thread
    %m = memref.alloc(%s) : memref<2x?xf32>
    %a = affine.load %x[%i] : memref<4xf32>
    memref.store %a, %m[%z, %z] : memref<2x?xf32>
    %v = memref.load %m[%z, %z] : memref<2x?xf32>
    memref.dealloc %m : memref<2x?xf32>
    affine.store %v, %x[%i] : memref<4xf32>
  }
  return
}

func.func @host(%n: index) -> f32 {
  %c = arith.constant 2.0 : f32
  %z = arith.constant 0 : index
  // HOST: error: memref.alloc [{{.*}}] at {{.*}}dynamic-temporaries.mlir:[[#@LINE+1]]:8 would have the size -3 in dimension 0
  %m = memref.alloc(%n) : memref<?xf32>
  memref.store %c, %m[%z] : memref<?xf32>
  %v = memref.load %m[%z] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %v : f32
}
