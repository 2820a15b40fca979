// Threads of a block that wait for each other in loops take turns, whatever is checked and in every order; where none can ever go on, that is
// reported, and the other blocks run.
// RUN: not mica-run --target=sim --mica-debug=sim-check=none %s > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: not mica-run --target=sim --mica-debug=sim-check=none,sim-schedule=random:3 %s > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: not mica-run --target=sim --mica-debug=sim-check=none,sim-schedule=adversarial %s > %t 2>&1
// RUN: FileCheck %s < %t

// Each thread adds its number behind the one before it: 0 1 2 ... 39 in whatever order they run. Then thread 3 of block 1 alone waits for more.
// CHECK: check failed: in kernel 'main_kernel'{{.*}}: hang: memref.atomic_rmw at waits.mlir:[[#@LINE+37]]:14 by thread (3,0,0) of block (1,0,0) is in an
// CHECK-SAME: infinite loop: it waits for the 8 bytes at byte 8 of a host buffer of 16 bytes to change from 0x28; every other thread of the block waits too,
// CHECK-SAME: or has returned

func.func private @printI64(i64)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<2xi64>
  memref.store %zero, %x[%c0] : memref<2xi64>
  memref.store %zero, %x[%c1] : memref<2xi64>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c40, %sy = %c1, %sz = %c1) {
    %none = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %three = arith.constant 3 : index
    %first = arith.constant 1 : index
    %me = arith.index_cast %tx : index to i64
    scf.while : () -> () {
      %turn = memref.atomic_rmw addi %none, %x[%bx] : (i64, memref<2xi64>) -> i64
      %notyet = arith.cmpi ne, %turn, %me : i64
      scf.condition(%notyet)
    } do {
      scf.yield
    }
    %0 = memref.atomic_rmw addi %one, %x[%bx] : (i64, memref<2xi64>) -> i64
    %isthird = arith.cmpi eq, %tx, %three : index
    %issecond = arith.cmpi eq, %bx, %first : index
    %waits = arith.andi %isthird, %issecond : i1
    scf.if %waits {
      %end = arith.constant 41 : i64
      scf.while : () -> () {
        %v = memref.atomic_rmw addi %none, %x[%bx] : (i64, memref<2xi64>) -> i64
        %more = arith.cmpi ne, %v, %end : i64
        scf.condition(%more)
      } do {
        scf.yield
      }
    }
    gpu.terminator
  }
  return
}
