// A value that a race decides depends on the order, and the same order gives it again.
// RUN: mica-run --target=sim --mica-debug=sim-check=none %s | FileCheck %s --check-prefix=FIRST
// RUN: mica-run --target=sim --mica-debug=sim-check=none,sim-schedule=reversed %s | FileCheck %s --check-prefix=LAST
// RUN: mica-run --target=sim --mica-debug=sim-check=none,sim-schedule=random:5 %s > %t.1
// RUN: mica-run --target=sim --mica-debug=sim-check=none,sim-schedule=random:5 %s > %t.2
// RUN: cmp %t.1 %t.2
// RUN: not mica-run --target=sim --mica-debug=sim-schedule=random:5 %s 2>&1 | FileCheck %s --check-prefix=REPLAY
// RUN: not mica-run --target=sim --mica-debug=sim-schedule=backwards %s 2>&1 | FileCheck %s --check-prefix=ERR

// FIRST: 63
// LAST: 0
// REPLAY: check failed: in kernel 'main_kernel' (sim-schedule=random:5): race: memref.store at {{.*}}schedules.mlir:[[#@LINE+18]]:7
// ERR: sim-schedule=backwards: unknown value

func.func private @printI64(i64)

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<1xi64>
  memref.store %zero, %x[%c0] : memref<1xi64>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %0 = arith.constant 0 : index
    %v = arith.index_cast %tx : index to i64
    scf.execute_region {

      memref.store %v, %x[%0] : memref<1xi64>
      scf.yield
    }
    gpu.terminator
  }
  %r = memref.load %x[%c0] : memref<1xi64>
  call @printI64(%r) : (i64) -> ()
  return
}
