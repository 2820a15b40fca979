// RUN: not mica-run --target=sim %s --input=4xi32=6,7,8,9 --input=4xi32=1,0,2,3 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: mica-run --target=sim %s --in-place --input=4xi32=6,7,8,9 --input=4xi32=1,7,2,3 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: sed -e 's/arith.divsi %x, %y/math.ipowi %y, %x/' %s > %t.power.mlir
// RUN: not mica-run --target=sim %t.power.mlir --input=4xi32=6,-7,8,9 --input=4xi32=1,0,2,3 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: sed -e 's/arith.divsi %x, %y/arith.shli %x, %y/' %s > %t.shift.mlir
// RUN: not mica-run --target=sim %t.shift.mlir --input=4xi32=6,7,8,9 --input=4xi32=1,0,2,32 2>&1 | FileCheck %s --check-prefix=SHIFT
// Arithmetic of a thread that is undefined is named by operation, line and thread.

// CLEAN-NOT: failed
// DIVIDE: check failed: in kernel 'k': arith.divsi at arithmetic-faults.mlir:[[#@LINE+9]]:12 by thread (1,0,0) of block (0,0,0): integer division by zero, or one that overflows (7, 0)
// POWER: check failed: in kernel 'k': math.ipowi at {{.*}}.power.mlir:[[#@LINE+8]]:12 by thread (1,0,0) of block (0,0,0): 0 to a negative power, a division by zero (0, -7)
// SHIFT: check failed: in kernel 'k': arith.shli at {{.*}}.shift.mlir:[[#@LINE+7]]:12 by thread (3,0,0) of block (0,0,0): shift by a number of bits outside the type's width (9, 32)
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: memref<4xi32>, %b: memref<4xi32>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %a[%t] : memref<4xi32>
      %y = memref.load %b[%t] : memref<4xi32>
      %d = arith.divsi %x, %y : i32
      memref.store %d, %a[%t] : memref<4xi32>
      gpu.return
    }
  }
  func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<4xi32>, %b : memref<4xi32>)
    return
  }
}
